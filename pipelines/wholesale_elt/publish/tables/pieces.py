"""Pieces: parts of a table in a Parquet file, which can be copied to another one byte by byte."""

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
"""Files are as small as with DuckDB's defaults, level 3 and dictionaries of up to 24,576 values,
and take a quarter less time to write."""
NOTE = "wholesale.pieces"
"""The key in the footer's metadata for the list of pieces, in the order of the file: number, rows
and total of the part, then bytes and row groups."""
ROW_GROUP = 122_880
"""DuckDB's default size of a row group."""
CHUNK = 2**20


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a table in a Parquet file: its bytes there, its entries in the footer, its `first`
    row group and row in the file, and how many rows it has."""

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
    """The pieces of a file; none if it was written as a whole, or has an unknown footer."""
    with suppress(UnknownFooter):
        return _read_pieces(path)
    return {}


def write_piece(
    connection: duckdb.DuckDBPyConnection, query: str, path: Path, row_group: int = ROW_GROUP
) -> Piece:
    """The result of a query, in a file of its own.

    Raises: UnknownFooter.
    """
    write_rows(connection, query, path, row_group)
    footer = read_footer(path)
    return Piece(path, len(MAGIC), footer.end - len(MAGIC), footer.row_groups, footer)


def write_rows(
    connection: duckdb.DuckDBPyConnection, query: str, path: Path, row_group: int = ROW_GROUP
) -> None:
    """Write the result of a query, in row groups of so many rows."""
    connection.execute(
        f"copy ({query}) to {quoted(path)} (format parquet, {COMPRESSION},"
        f" row_group_size {row_group})"
    )


def append(file: BinaryIO, piece: Piece) -> Sequence[bytes]:
    """Append a piece to a file, and return its row groups for the footer.

    Raises: UnknownFooter for a piece that cannot be moved.
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
