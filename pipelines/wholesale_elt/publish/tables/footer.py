"""Footer: what a Parquet file says of its row groups, so that they can stand in another one.

They are copied byte by byte. What a footer says of them stays as it is, but for the places of
their pages in the file. It is written in Thrift's compact protocol
(https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md), and made of the
structs of https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MAGIC = b"PAR1"
TAIL = 8
"""Bytes after the footer: its length, and the same magic as at the beginning."""
SCHEMA, ROWS, ROW_GROUPS, NOTES = 2, 3, 4, 5
"""Fields of `FileMetaData`; the notes are its `key_value_metadata`."""
INDEX = "index"
"""A place where places stand that nobody would move: of an index of pages, which DuckDB writes none
of."""
PLACES: Mapping[int, Any] = {  # RowGroup
    1: {  # ColumnChunk
        2: None,  # file_offset
        3: {9: None, 10: None, 11: None, 14: None},  # of data, index, dictionary, bloom filter
        4: INDEX,  # offset_index_offset
        6: INDEX,  # column_index_offset
    },
    5: None,  # file_offset
}
"""Fields in a `RowGroup` that tell a place in the file: those of the structs in it, by theirs."""
STOP, BOOLEANS, BYTE, INTEGERS, DOUBLE, BINARY, LIST, STRUCT = 0, (1, 2), 3, (4, 5, 6), 7, 8, 9, 12
INT64 = INTEGERS[-1]
"""Kinds of values; there are also sets and maps, of which a footer has none."""


class UnknownFooter(ValueError):
    """A footer says something of which nobody here knows how it is to stand elsewhere."""


@dataclass(frozen=True, slots=True)
class Footer:
    """The fields of a `FileMetaData`, each as it stands there, and its row groups one by one.

    `end` is where in the file the row groups end.
    """

    fields: Mapping[int, tuple[int, bytes]]
    row_groups: Sequence[bytes]
    end: int

    @property
    def notes(self) -> Mapping[str, str]:
        """What writers have noted in it."""
        if NOTES not in self.fields:
            return {}
        content = self.fields[NOTES][1]
        found = {}
        for start, _ in _elements(content, 0):
            (_, _, key, _), *value = _fields(content, start)
            found[_text(content, key)] = _text(content, value[0][2]) if value else ""
        return found


def read_footer(path: Path) -> Footer:
    """The footer of a file of row groups in the order in which they stand there.

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
    for number, kind, start, stop in _fields(content, 0):
        if number == ROW_GROUPS:
            row_groups = [content[first:last] for first, last in _elements(content, start)]
        else:
            fields[number] = (kind, content[start:stop])
    return Footer(fields, row_groups, end)


def footer_bytes(
    fields: Mapping[int, tuple[int, bytes]],
    row_groups: Sequence[bytes],
    rows: int,
    notes: Mapping[str, str],
) -> bytes:
    """The end of a file of these row groups, all of which have the schema in `fields`."""
    written = bytearray()
    for key, value in notes.items():
        for text in (key.encode(), value.encode()):
            written += bytes((1 << 4 | BINARY,)) + _unsigned(len(text)) + text
        written.append(STOP)
    made = {
        ROWS: (INT64, _signed(rows)),
        ROW_GROUPS: (LIST, _list_head(len(row_groups)) + b"".join(row_groups)),
        NOTES: (LIST, _list_head(len(notes)) + bytes(written)),
    }
    content, last = bytearray(), 0
    for number, (kind, field) in sorted((dict(fields) | made).items()):
        content += bytes(((number - last) << 4 | kind,)) + field
        last = number
    content.append(STOP)
    return bytes(content) + len(content).to_bytes(4, "little") + MAGIC


def moved(row_group: bytes, by: int) -> bytes:
    """What is said of a row group that stands so many bytes further on.

    Raises: UnknownFooter for one with an index of its pages, which stands behind all row groups.
    """
    found = bytearray()
    _move(row_group, 0, PLACES, by, found)
    return bytes(found)


def _move(content: bytes, start: int, places: Mapping[int, Any], by: int, found: bytearray) -> int:
    """Add the struct at `start` to what is found; where it ends."""
    copied = stop = start
    for number, kind, at, stop in _fields(content, start):
        if number not in places:
            continue
        if places[number] == INDEX:
            raise UnknownFooter("a row group with an index of its pages cannot stand elsewhere")
        found += content[copied:at]
        if kind == STRUCT:
            _move(content, at, places[number], by, found)
        elif kind == LIST:
            elements = _elements(content, at)
            found += content[at : elements[0][0]]
            for first, _ in elements:
                _move(content, first, places[number], by, found)
        else:
            place, _ = _read_signed(content, at)
            found += _signed(place + by if place else 0)
        copied = stop
    found += content[copied : stop + 1]
    return stop + 1


def _fields(content: bytes, at: int) -> Iterator[tuple[int, int, int, int]]:
    """The number of each field of the struct there, its kind, where it begins and where it ends."""
    number = 0
    while head := content[at]:
        kind = head & 15
        at += 1
        if head >> 4:
            number += head >> 4
        else:
            number, at = _read_signed(content, at)
        stop = _end(content, at, kind)
        yield number, kind, at, stop
        at = stop


def _elements(content: bytes, at: int) -> Sequence[tuple[int, int]]:
    """Where each of the list there begins, and where it ends."""
    size, kind = content[at] >> 4, content[at] & 15
    at += 1
    if size == 15:
        size, at = _read_unsigned(content, at)
    found = []
    for _ in range(size):
        # A boolean is a part of its field's head, and a byte in a list.
        stop = at + 1 if kind in BOOLEANS else _end(content, at, kind)
        found.append((at, stop))
        at = stop
    return found


def _end(content: bytes, at: int, kind: int) -> int:
    """Where the value there ends.

    Raises: UnknownFooter for a kind that is in none.
    """
    if kind in INTEGERS:
        while content[at] > 127:
            at += 1
        return at + 1
    if kind == BINARY:
        size, at = _read_unsigned(content, at)
        return at + size
    if kind == STRUCT:
        for *_, stop in _fields(content, at):
            at = stop
        return at + 1
    if kind == LIST:
        elements = _elements(content, at)
        return elements[-1][1] if elements else at + 1
    if kind in BOOLEANS:
        return at
    if kind == BYTE:
        return at + 1
    if kind == DOUBLE:
        return at + 8
    raise UnknownFooter(f"a footer has a value of kind {kind}")


def _read_unsigned(content: bytes, at: int) -> tuple[int, int]:
    """The number there in LEB128, and where it ends."""
    value = shift = 0
    while (byte := content[at]) > 127:
        value |= (byte & 127) << shift
        shift += 7
        at += 1
    return value | byte << shift, at + 1


def _read_signed(content: bytes, at: int) -> tuple[int, int]:
    """The same, where the last bit is the sign."""
    value, at = _read_unsigned(content, at)
    return value >> 1 ^ -(value & 1), at


def _list_head(size: int) -> bytes:
    """Of a list of structs."""
    return bytes((size << 4 | STRUCT,)) if size < 15 else bytes((0xF0 | STRUCT,)) + _unsigned(size)


def _unsigned(value: int) -> bytes:
    written = bytearray()
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    written.append(value)
    return bytes(written)


def _signed(value: int) -> bytes:
    return _unsigned(value << 1 ^ value >> 63)


def _text(content: bytes, at: int) -> str:
    size, at = _read_unsigned(content, at)
    return content[at : at + size].decode()
