"""Reading: DuckDB files that were published, or that somebody names, each read alone.

DuckDB applies the log beside a file even where the file is read only, calls macros of a file that
are named like its own functions, and reads whatever a view names. Here a file is only its tables,
and what they and its views say of each other: no log, no network, no extension, and no other file
but those of a lake in which it says that tables have their rows.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from glob import escape
from pathlib import Path

import duckdb

from wholesale.errors import WholesaleError
from wholesale_elt.process import budget
from wholesale_elt.warehouse.ports.files import quoted, refuse_query

PUBLISHED = "wholesale"
"""The name of the one file that is open."""
ALONE = {
    "TimeZone": "UTC",
    "python_enable_replacements": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "enable_external_access": "false",
    "lock_configuration": "true",
}
"""Settings of DuckDB once the files are attached; the last one forbids to change them."""
TAKEN = """
    select min(function_name) filter (not internal) as macro from duckdb_functions()
    group by lower(function_name) having bool_or(internal) and bool_or(not internal)
    order by macro limit 1
"""
"""A macro that would be called in place of a function of DuckDB."""

OF_FILES = "meta.files"
"""Where a published file names those of a lake that its views read."""
PARQUET = ".parquet"


class Altered(WholesaleError):
    """A file that cannot be read as it was written."""


@contextmanager
def open_file(
    database: Path, *, beside: Path | None = None, limits: Mapping[str, str] | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A file, read only and alone, whose names need no prefix; files below the folder `beside` can
    be read too. `limits` are settings of DuckDB.

    Raises: Altered for a log beside it, a macro that takes the name of a function, or files of a
    lake that are gone; duckdb.Error for what is no such file.
    """
    with open_files({PUBLISHED: database}, beside=beside, limits=limits) as connection:
        connection.execute(f"use {PUBLISHED}")
        yield connection


@contextmanager
def open_files(
    databases: Mapping[str, Path],
    *,
    beside: Path | None = None,
    limits: Mapping[str, str] | None = None,
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Files by the names that they are given, as in `open_file`."""
    with budget.open_within() as connection:
        for name, database in databases.items():
            attach_file(connection, database, name)
        for (taken,) in connection.execute(TAKEN).fetchall():
            raise Altered(
                f"{', '.join(map(str, databases.values()))} has a macro {taken}, which would be"
                " called in place of DuckDB's function: no version has one, so it is not read"
            )
        if paths := [path for name in databases for path in _files_of(connection, name)]:
            for gone in (path for path in paths if not Path(path).exists()):
                raise Altered(
                    f"{', '.join(map(str, databases.values()))} reads tables from a lake, and its"
                    f" {gone} is not here: ask where the lake is, or publish with --facts copied"
                )
            connection.execute(f"set allowed_paths = [{', '.join(map(quoted, paths))}]")
        if beside:
            connection.execute(f"set allowed_directories = [{quoted(f'{beside.absolute()}/')}]")
        for setting, value in {**(limits or {}), **ALONE}.items():
            connection.execute(f"set {setting} = '{value}'")
        yield connection


def _files_of(connection: duckdb.DuckDBPyConnection, database: str) -> list[str]:
    """The files of a lake in which tables of an attached file have their rows."""
    try:
        found = connection.execute(f"select path from {database}.{OF_FILES}").fetchall()
    except (duckdb.CatalogException, duckdb.BinderException):  # it has all rows itself
        return []
    return [path for (path,) in found if str(path).endswith(PARQUET)]


def attach_file(connection: duckdb.DuckDBPyConnection, database: Path, name: str) -> None:
    """Attach a file of DuckDB's own format, read only.

    Raises: Altered for a log beside it; ConfigurationError for a path that DuckDB cannot use.
    """
    refuse_query(database, str(database))
    if logs := logs_beside(database):
        raise Altered(
            f"{logs[0]} lies beside {database.name}: DuckDB would apply this log of changes, which"
            " no publication leaves; remove it, and see `wholesale verify`"
        )
    connection.execute(f"attach {quoted(database.absolute())} as {name} (type duckdb, read_only)")


def logs_beside(database: Path) -> list[Path]:
    """DuckDB's logs of changes to this file, which it applies when it opens it."""
    return sorted(database.parent.glob(f"{escape(database.name)}.wal*"))
