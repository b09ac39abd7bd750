"""Parquet: the file of each table, of a large one in pieces: a part of its rows each.

Pieces of parts that did not change are those of the last file, byte by byte, so that few changes
among the newest orders cost little. To a reader a piece is some row groups like any others.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import duckdb

from wholesale_elt.publish.tables.footer import (
    MAGIC,
    Footer,
    UnknownFooter,
    footer_bytes,
    moved,
    read_footer,
)
from wholesale_elt.publish.tables.sources import Part, Source
from wholesale_elt.warehouse import quoted

COMPRESSION = "compression zstd, compression_level 1, dictionary_size_limit 5000"
"""As small as by DuckDB's own choice, level 3 and dictionaries of up to 24,576 values, and written
in a quarter less time."""
LEAST_IN_PIECES = 50_000
"""Rows of a table that is written in pieces: in a smaller one these cost more than they save."""
NOTE = "wholesale.pieces"
"""What the footer notes of the pieces, in the order in which they stand there: of the part its
number, rows and total, then bytes and row groups."""
CHUNK = 2**20


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a table in a Parquet file: where its bytes are, and what the footer says of it."""

    path: Path
    start: int
    size: int
    row_groups: Sequence[bytes]
    footer: Footer


Pieces = Mapping[Part, Piece]


def is_in_pieces(source: Source) -> bool:
    return source.rows >= LEAST_IN_PIECES and len(source.parts) > 1


def read_pieces(path: Path) -> Pieces:
    """The pieces of a file, none where it was written as one, or where its footer says what this
    version does not know of."""
    with suppress(UnknownFooter):
        return _read_pieces(path)
    return {}


def write_parquet(
    connection: duckdb.DuckDBPyConnection, source: Source, path: Path, last: Pieces
) -> None:
    """Write the file of a table, with those of the `last` pieces that are the same; as one where
    such pieces cannot stand elsewhere."""
    if is_in_pieces(source):
        with suppress(UnknownFooter):
            _write_in_pieces(connection, source, path, last)
            return
    _copy(connection, source.query, path)


def _read_pieces(path: Path) -> Pieces:
    footer = read_footer(path)
    pieces = {}
    start, first = len(MAGIC), 0
    for number, rows, total, size, groups in json.loads(footer.notes.get(NOTE, "[]")):
        row_groups = footer.row_groups[first : first + groups]
        pieces[Part(number, rows, total)] = Piece(path, start, size, row_groups, footer)
        start, first = start + size, first + groups
    return pieces


def _write_in_pieces(
    connection: duckdb.DuckDBPyConnection, source: Source, path: Path, last: Pieces
) -> None:
    """Raises: UnknownFooter for a piece that cannot stand elsewhere."""
    row_groups, noted = [], []
    try:
        with path.open("wb") as file:
            file.write(MAGIC)
            for part in source.parts:
                piece = last.get(part) or _write_piece(connection, source, part, path)
                by = file.tell() - piece.start
                _append(file, piece)
                row_groups += [moved(entry, by) for entry in piece.row_groups]
                noted.append((*part, piece.size, len(piece.row_groups)))
            notes = {**piece.footer.notes, NOTE: json.dumps(noted)}
            file.write(footer_bytes(piece.footer.fields, row_groups, source.rows, notes))
    finally:
        _piece_of(path).unlink(missing_ok=True)


def _write_piece(
    connection: duckdb.DuckDBPyConnection, source: Source, part: Part, path: Path
) -> Piece:
    """Of this part, in a file beside that of the table."""
    written = _piece_of(path)
    _copy(connection, f"{source.query} where {source.part} = {part.number}", written)
    footer = read_footer(written)
    size = footer.end - len(MAGIC)
    return Piece(written, len(MAGIC), size, footer.row_groups, footer)


def _copy(connection: duckdb.DuckDBPyConnection, query: str, path: Path) -> None:
    connection.execute(f"copy ({query}) to {quoted(path)} (format parquet, {COMPRESSION})")


def _append(file: BinaryIO, piece: Piece) -> None:
    left = piece.size
    with piece.path.open("rb") as source:
        source.seek(piece.start)
        while left:
            left -= file.write(source.read(min(left, CHUNK)))


def _piece_of(path: Path) -> Path:
    return path.with_suffix(".piece")
