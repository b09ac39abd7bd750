"""Writing: the tables of a version, as DuckDB and Parquet files."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from wholesale_elt.publish.manifest import DATABASE
from wholesale_elt.publish.store import Source, Standing
from wholesale_elt.publish.tables.database import write_database
from wholesale_elt.publish.tables.parquet import Pieces, is_in_pieces, read_pieces, write_parquet
from wholesale_elt.publish.tables.sources import FORMS

Observe = Callable[[int, int, str], None]
"""Told of each table of a file that is done with: the how manyth, of how many, its name."""


def write_tables(
    connection: duckdb.DuckDBPyConnection,
    folder: Path,
    sources: Sequence[Source],
    standing: Standing,
    observe: Observe,
) -> None:
    """Copy these tables of the attached warehouse into `folder`, in both forms at once; `observe`
    is told of each that is done with."""
    done = count(1)

    def tell(source: Source) -> None:
        observe(next(done), FORMS * len(sources), source.table)

    def write(source: Source, path: Path) -> None:
        write_parquet(other, source, path, last[source])
        tell(source)

    for schema in {source.schema for source in sources}:
        (folder / "parquet" / schema).mkdir(parents=True)
    files = {
        source: folder / "parquet" / source.schema / f"{source.table}.parquet" for source in sources
    }
    with (
        TemporaryDirectory(dir=folder) as scratch,
        connection.cursor() as other,
        ThreadPoolExecutor(1) as beside,
    ):
        written: list[Future[None]] = []
        last: dict[Source, Pieces] = {}
        for number, (source, path) in enumerate(files.items()):
            if standing.take_parquet(source, path):
                tell(source)
                continue
            place = Path(scratch) / str(number)
            is_cut = is_in_pieces(source) and standing.take_last_parquet(source, place)
            last[source] = read_pieces(place) if is_cut else {}
            written.append(beside.submit(write, source, path))
        parts = {source: pieces.keys() for source, pieces in last.items()}
        try:
            write_database(connection, folder / DATABASE, sources, standing, parts, tell)
        except BaseException:
            beside.shutdown(wait=False, cancel_futures=True)
            raise
        for future in written:
            future.result()
