"""Writing: the tables of a version, as DuckDB and Parquet files."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from wholesale_elt.publish.tables.database import find_changes, write_database
from wholesale_elt.publish.tables.last import LastVersion
from wholesale_elt.publish.tables.parquet import is_in_pieces, write_parquet
from wholesale_elt.publish.tables.pieces import Pieces, read_pieces
from wholesale_elt.publish.tables.sources import FORMS, Source

Observe = Callable[[int, int, str], None]
"""Called with each finished table of a file: its number, of how many, its name."""


def write_tables(
    connection: duckdb.DuckDBPyConnection,
    database: Path,
    parquet: Path,
    sources: Sequence[Source],
    last: LastVersion,
    observe: Observe,
) -> None:
    """Write these tables of the attached warehouse into a DuckDB file and, at the same time, into
    Parquet files in a folder; `observe` is called with each finished one."""
    done = count(1)

    def tell(source: Source) -> None:
        observe(next(done), FORMS * len(sources), source.table)

    def write(source: Source) -> None:
        altered = found.alterations.get(source, {}) if found else {}
        write_parquet(other, source, files[source], pieces[source], altered)
        tell(source)

    for schema in {source.schema for source in sources}:
        (parquet / schema).mkdir(parents=True)
    files = {source: parquet / source.schema / f"{source.table}.parquet" for source in sources}
    with (
        TemporaryDirectory(dir=database.parent) as scratch,
        connection.cursor() as other,
        ThreadPoolExecutor(1) as beside,
    ):
        pieces: dict[Source, Pieces] = {}
        for number, (source, path) in enumerate(files.items()):
            if last.take_parquet(source, path):
                tell(source)
                continue
            place = Path(scratch) / str(number)
            is_cut = is_in_pieces(source) and last.take_last_parquet(source, place)
            pieces[source] = read_pieces(place) if is_cut else {}
        parts = {source: known.keys() for source, known in pieces.items()}
        found = find_changes(connection, database, sources, last, parts)
        written = [beside.submit(write, source) for source in pieces]
        try:
            write_database(connection, database, sources, found, last, tell)
        except BaseException:
            beside.shutdown(wait=False, cancel_futures=True)
            raise
        for future in written:
            future.result()
