"""Pieces: parts of a table in a Parquet file, which can stand in another one byte by byte."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import duckdb

from wholesale_elt.publish.tables.footer import MAGIC, Footer, moved, read_footer
from wholesale_elt.publish.tables.sources import PartDigest
from wholesale_elt.publish.tables.thrift import UnknownFooter
from wholesale_elt.warehouse import quoted

COMPRESSION = "compression zstd, compression_level 1, dictionary_size_limit 5000"
"""As small as by DuckDB's own choice, level 3 and dictionaries of up to 24,576 values, and written
in a quarter less time."""
NOTE = "wholesale.pieces"
"""What the footer notes of the pieces, in the order in which they stand there: of the part its
number, rows and total, then bytes and row groups."""
ROW_GROUP = 122_880
"""Rows that DuckDB puts into one, unless told."""
CHUNK = 2**20


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a table in a Parquet file: where its bytes are, what the footer says of it, and
    which row group of the file is its `first`, and which row, of how many."""

    path: Path
    start: int
    size: int
    row_groups: Sequence[bytes]
    footer: Footer
    first: int = 0
    first_row: int = 0
    rows: int = 0


Pieces = Mapping[PartDigest, Piece]


def read_pieces(path: Path) -> Pieces:
    """The pieces of a file, none where it was written as one, or where its footer says what this
    version does not know of."""
    with suppress(UnknownFooter):
        return _read_pieces(path)
    return {}


def write_piece(
    connection: duckdb.DuckDBPyConnection, query: str, path: Path, row_group: int = ROW_GROUP
) -> Piece:
    """What a query finds, in a file of its own.

    Raises: UnknownFooter.
    """
    write_rows(connection, query, path, row_group)
    footer = read_footer(path)
    return Piece(path, len(MAGIC), footer.end - len(MAGIC), footer.row_groups, footer)


def write_rows(
    connection: duckdb.DuckDBPyConnection, query: str, path: Path, row_group: int = ROW_GROUP
) -> None:
    """Write what a query finds, in row groups of so many rows."""
    connection.execute(
        f"copy ({query}) to {quoted(path)} (format parquet, {COMPRESSION},"
        f" row_group_size {row_group})"
    )


def append(file: BinaryIO, piece: Piece) -> Sequence[bytes]:
    """Append a piece to a file; what the footer of that one is to say of its row groups.

    Raises: UnknownFooter for a piece that cannot stand elsewhere.
    """
    row_groups = [moved(entry, file.tell() - piece.start) for entry in piece.row_groups]
    left = piece.size
    with piece.path.open("rb") as source:
        source.seek(piece.start)
        while left:
            left -= file.write(source.read(min(left, CHUNK)))
    return row_groups


def _read_pieces(path: Path) -> Pieces:
    footer = read_footer(path)
    pieces = {}
    start, first, row = len(MAGIC), 0, 0
    for number, rows, total, size, groups in json.loads(footer.notes.get(NOTE, "[]")):
        row_groups = footer.row_groups[first : first + groups]
        pieces[PartDigest(number, rows, total)] = Piece(
            path, start, size, row_groups, footer, first, row, rows
        )
        start, first, row = start + size, first + groups, row + rows
    return pieces
