"""Chunks: the single columns of a row group, so that some can be replaced."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

from wholesale_elt.publish.tables.footer import CHUNKS, moved_chunk
from wholesale_elt.publish.tables.thrift import (
    INT64,
    INTEGERS,
    LIST,
    STRUCT,
    Field,
    UnknownFooter,
    elements_of,
    fields_of,
    list_bytes,
    number_bytes,
    read_number,
    struct_bytes,
)

BYTES, ROWS, PLACE, COMPRESSED = 2, 3, 5, 6
"""Fields of a `RowGroup`: `total_byte_size`, `num_rows`, `file_offset` and
`total_compressed_size`."""
META = 3
"""The field of a `ColumnChunk` with its `ColumnMetaData`, and some fields of that: the sizes, the
offsets of data and dictionary, and offset and size of the bloom filter, which is stored apart."""
META_BYTES, META_COMPRESSED, DATA, DICTIONARY, FILTER, FILTER_BYTES = 6, 7, 9, 11, 14, 15


@dataclass(frozen=True, slots=True)
class Chunk:
    """A column of a row group: its entry in the footer, its uncompressed size, and offset and
    length of its pages in the file, and of its bloom filter if it has one."""

    path: Path
    entry: bytes
    uncompressed: int
    pages: tuple[int, int]
    filter: tuple[int, int]


@dataclass(frozen=True, slots=True)
class RowGroup:
    """The footer's entry for a row group: how many rows it has, and its columns."""

    fields: Mapping[int, Field]
    rows: int
    chunks: Sequence[Chunk]


def read_row_group(path: Path, content: bytes) -> RowGroup:
    """Parse the footer's entry for a row group.

    Raises: UnknownFooter if it lacks the offset of a column.
    """
    fields = {
        number: (kind, content[start:stop]) for number, kind, start, stop in fields_of(content, 0)
    }
    _, chunks = fields[CHUNKS]
    rows, _ = read_number(fields[ROWS][1], 0)
    entries = (chunks[start:stop] for start, stop in elements_of(chunks, 0))
    return RowGroup(fields, rows, [_chunk(path, entry) for entry in entries])


def write_row_group(file: BinaryIO, row_group: RowGroup, chunks: Sequence[Chunk]) -> bytes:
    """Append a row group to a file, with these columns instead of its own, and return its entry
    for the footer."""
    place = file.tell()
    written = list(_append(file, chunks))
    made = {
        CHUNKS: (LIST, list_bytes(written)),
        BYTES: (INT64, number_bytes(sum(chunk.uncompressed for chunk in chunks))),
        PLACE: (INT64, number_bytes(place)),
        COMPRESSED: (INT64, number_bytes(sum(chunk.pages[1] for chunk in chunks))),
    }
    return struct_bytes(dict(row_group.fields) | made)


def _append(file: BinaryIO, chunks: Sequence[Chunk]) -> Iterator[bytes]:
    """The bloom filters follow all pages, as the pages of a row group are contiguous."""
    with ExitStack() as opened:
        paths = {chunk.path for chunk in chunks}
        sources = {path: opened.enter_context(path.open("rb")) for path in paths}
        pages = [_copy(file, sources[chunk.path], chunk.pages) for chunk in chunks]
        filters = [_copy(file, sources[chunk.path], chunk.filter) for chunk in chunks]
    for chunk, pages_by, filter_by in zip(chunks, pages, filters, strict=True):
        yield moved_chunk(chunk.entry, partial(_place, chunk, pages_by, filter_by))


def _place(chunk: Chunk, pages_by: int, filter_by: int, place: int) -> int:
    return place + (filter_by if place == chunk.filter[0] else pages_by)


def _copy(file: BinaryIO, source: BinaryIO, extent: tuple[int, int]) -> int:
    """Append these bytes of another file, and return by how much their offset grew."""
    start, size = extent
    by = file.tell() - start
    source.seek(start)
    file.write(source.read(size))
    return by


def _chunk(path: Path, entry: bytes) -> Chunk:
    for number, kind, start, _ in fields_of(entry, 0):
        if number == META and kind == STRUCT:
            found = _numbers(entry, start)
            if FILTER in found and FILTER_BYTES not in found:
                raise UnknownFooter("a bloom filter does not say how large it is")
            # The offset of a dictionary may be 0 if there is none.
            first = min(found[DATA], found.get(DICTIONARY) or found[DATA])
            return Chunk(
                path,
                entry,
                found[META_BYTES],
                (first, found[META_COMPRESSED]),
                (found.get(FILTER, 0), found.get(FILTER_BYTES, 0)),
            )
    raise UnknownFooter("a column does not say where it is")


def _numbers(content: bytes, at: int) -> Mapping[int, int]:
    """The integer fields of the struct at that offset."""
    return {
        number: read_number(content, start)[0]
        for number, kind, start, _ in fields_of(content, at)
        if kind in INTEGERS
    }
