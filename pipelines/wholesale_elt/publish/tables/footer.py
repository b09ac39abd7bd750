"""Footer: the metadata at the end of a Parquet file, so that row groups can move to another file.

They are copied byte by byte. Their entries in the footer stay the same, except for the offsets of
their pages. A footer consists of the structs of
https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wholesale_elt.publish.tables.thrift import (
    BINARY,
    INT64,
    LIST,
    STRUCT,
    Field,
    UnknownFooter,
    elements_of,
    fields_of,
    list_bytes,
    number_bytes,
    read_number,
    read_text,
    struct_bytes,
    text_bytes,
)

MAGIC = b"PAR1"
TAIL = 8
"""Bytes after the footer: its length, and the magic bytes that are also at the beginning."""
SCHEMA, ROWS, ROW_GROUPS, NOTES = 2, 3, 4, 5
"""Fields of `FileMetaData`; the notes are its `key_value_metadata`."""
INDEX = "index"
"""Offsets that cannot be moved: those of a page index, which DuckDB does not write."""
CHUNKS = 1
"""The field of a `RowGroup` with its columns."""
PLACES: Mapping[int, Any] = {  # RowGroup
    CHUNKS: {  # ColumnChunk
        2: None,  # file_offset
        3: {9: None, 10: None, 11: None, 14: None},  # of data, index, dictionary, bloom filter
        4: INDEX,  # offset_index_offset
        6: INDEX,  # column_index_offset
    },
    5: None,  # file_offset
}
"""Fields of a `RowGroup` that are offsets in the file, and those of its structs, nested."""


@dataclass(frozen=True, slots=True)
class Footer:
    """The encoded fields of a `FileMetaData`, and its row groups.

    `end` is the offset of the end of the row groups.
    """

    fields: Mapping[int, Field]
    row_groups: Sequence[bytes]
    end: int

    @property
    def notes(self) -> Mapping[str, str]:
        """Its key-value metadata."""
        if NOTES not in self.fields:
            return {}
        content = self.fields[NOTES][1]
        found = {}
        for start, _ in elements_of(content, 0):
            (_, _, key, _), *value = fields_of(content, start)
            found[read_text(content, key)] = read_text(content, value[0][2]) if value else ""
        return found


def read_footer(path: Path) -> Footer:
    """Read the footer of a file, whose row groups are listed in the order in which they are stored.

    Raises: UnknownFooter.
    """
    with path.open("rb") as file:
        length = file.seek(0, 2)
        file.seek(length - TAIL)
        size = int.from_bytes(file.read(4), "little")
        end = length - TAIL - size
        file.seek(end)
        content = file.read(size)
    fields, row_groups = {}, []
    for number, kind, start, stop in fields_of(content, 0):
        if number == ROW_GROUPS:
            row_groups = [content[first:last] for first, last in elements_of(content, start)]
        else:
            fields[number] = (kind, content[start:stop])
    return Footer(fields, row_groups, end)


def footer_bytes(
    fields: Mapping[int, Field],
    row_groups: Sequence[bytes],
    rows: int,
    notes: Mapping[str, str],
) -> bytes:
    """The end of a file of these row groups, all with the schema in `fields`."""
    noted = [
        struct_bytes({1: (BINARY, text_bytes(key)), 2: (BINARY, text_bytes(text))})
        for key, text in notes.items()
    ]
    made = {
        ROWS: (INT64, number_bytes(rows)),
        ROW_GROUPS: (LIST, list_bytes(row_groups)),
        NOTES: (LIST, list_bytes(noted)),
    }
    content = struct_bytes(dict(fields) | made)
    return content + len(content).to_bytes(4, "little") + MAGIC


def moved(row_group: bytes, by: int) -> bytes:
    """The entry of a row group that was moved by so many bytes.

    Raises: UnknownFooter for one with a page index, which is stored after all row groups.
    """
    return _moved(row_group, PLACES, lambda place: place + by)


def moved_chunk(chunk: bytes, to: Callable[[int], int]) -> bytes:
    """The entry of a column of a row group, whose bytes were moved.

    Raises: UnknownFooter as `moved`.
    """
    return _moved(chunk, PLACES[CHUNKS], to)


def _moved(struct: bytes, places: Mapping[int, Any], to: Callable[[int], int]) -> bytes:
    found = bytearray()
    _move(struct, 0, places, to, found)
    return bytes(found)


def _move(
    content: bytes,
    start: int,
    places: Mapping[int, Any],
    to: Callable[[int], int],
    found: bytearray,
) -> int:
    """Add the struct at `start` to what is found, and return where it ends."""
    copied = stop = start
    for number, kind, at, stop in fields_of(content, start):
        if number not in places:
            continue
        if places[number] == INDEX:
            raise UnknownFooter("a row group with an index of its pages cannot stand elsewhere")
        found += content[copied:at]
        if kind == STRUCT:
            _move(content, at, places[number], to, found)
        elif kind == LIST:
            elements = elements_of(content, at)
            found += content[at : elements[0][0]]
            for first, _ in elements:
                _move(content, first, places[number], to, found)
        else:
            place, _ = read_number(content, at)
            found += number_bytes(to(place) if place else 0)
        copied = stop
    found += content[copied : stop + 1]
    return stop + 1
