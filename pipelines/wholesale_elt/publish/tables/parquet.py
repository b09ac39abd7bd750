"""Parquet: the file of each table; the file of a large table in pieces, one for each part.

Pieces of unchanged parts are copied from the last file byte by byte, and so are the unchanged
columns of altered parts. So a few changes among the newest orders cost little. To a reader a piece
is ordinary row groups.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from wholesale_elt.publish.tables.alterations import Alteration, find_altered, write_altered
from wholesale_elt.publish.tables.footer import MAGIC, footer_bytes
from wholesale_elt.publish.tables.pieces import NOTE, Pieces, append, write_piece, write_rows
from wholesale_elt.publish.tables.sources import Source
from wholesale_elt.publish.tables.thrift import UnknownFooter

LEAST_IN_PIECES = 50_000
"""Fewest rows of a table that is written in pieces: for smaller ones they cost more than they
save."""


def is_in_pieces(source: Source) -> bool:
    return source.rows >= LEAST_IN_PIECES and len(source.parts) > 1


def write_parquet(
    connection: duckdb.DuckDBPyConnection,
    source: Source,
    path: Path,
    last: Pieces,
    alterations: Mapping[int, Alteration],
) -> None:
    """Write the file of a table, and take over the `last` pieces that are the same, and unchanged
    columns of altered ones. If pieces cannot be moved, the file is written as a whole."""
    if is_in_pieces(source):
        with suppress(UnknownFooter), TemporaryDirectory(dir=path.parent) as scratch:
            _write_in_pieces(connection, source, path, last, alterations, Path(scratch))
            return
    write_rows(connection, source.query, path)


def _write_in_pieces(
    connection: duckdb.DuckDBPyConnection,
    source: Source,
    path: Path,
    last: Pieces,
    alterations: Mapping[int, Alteration],
    scratch: Path,
) -> None:
    """Raises: UnknownFooter for a piece that cannot be moved."""
    altered = find_altered(connection, source, last, alterations)
    row_groups: list[bytes] = []
    noted = []
    with path.open("wb") as file:
        file.write(MAGIC)
        for part in source.parts:
            start = file.tell()
            if part in last:
                piece = last[part]
                written = append(file, piece)
            elif part.number in altered:
                piece = altered[part.number].piece
                written = write_altered(connection, source, altered[part.number], file, scratch)
            else:
                query = f"{source.query} where {source.part} = {part.number}"
                piece = write_piece(connection, query, scratch / "piece")
                written = append(file, piece)
            row_groups += written
            noted.append((*part, file.tell() - start, len(written)))
        notes = {**piece.footer.notes, NOTE: json.dumps(noted)}
        file.write(footer_bytes(piece.footer.fields, row_groups, source.rows, notes))
