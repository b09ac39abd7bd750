"""Verify: files by their hashes, tables of a DuckDB file by the Parquet files of the version.

A version has all rows twice, and its manifest has the hash of each file: so a table of which one
is damaged, or of a copy elsewhere, is compared with the other, row by row.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import msgspec

from wholesale.errors import WholesaleError, one_line
from wholesale_elt.differences import find_version, kept_versions
from wholesale_elt.process import budget
from wholesale_elt.publish import File, Manifest, PublishedTable, describe_file

MOST_ROWS = 20
"""Of a table that differs, so many rows are told."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What differs: a file, or a table with `row_count` rows, some of which are told. The `side` of
    such a row is `missing` or `added`."""

    what: str
    reason: str
    row_count: int = 0
    rows: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class Verified:
    """What was looked at, and of which version."""

    version: str
    looked_at: str
    count: int
    findings: Sequence[Finding]


def verify(published: Path, version: str = "current", held: Path | None = None) -> Verified:
    """Whether the files of a version are as they were published; or the tables of a copy of its
    DuckDB file, or the rows of an answer, which names its version itself.

    Raises: NotPublished if the folder holds none; Unanswerable for a version that is not kept;
    WholesaleError for what is no copy and no answer.
    """
    published = published.expanduser()
    kept = kept_versions(published)
    if held is not None and held.suffix == ".json":
        return _verify_answer(published, kept, held)
    manifest = find_version(kept, version)
    damaged = [file for file in manifest.files if not _is_right(published, file)]
    if held is None:
        findings = [Finding(file.path, "its hash is another one") for file in damaged]
        if manifest.database in damaged:
            findings += _tables(published, manifest, published / manifest.database.path)
        return Verified(manifest.version, "files", len(manifest.files), findings)
    findings = list(_tables(published, manifest, held))
    return Verified(manifest.version, "tables", len(manifest.tables), findings)


def _is_right(published: Path, file: File) -> bool:
    path = published / file.path
    return path.exists() and describe_file(published, path) == file


def _tables(published: Path, manifest: Manifest, database: Path) -> Iterator[Finding]:
    """The tables of a file that differ from the Parquet files of the version."""
    with budget.open_within() as connection:
        connection.execute("set timezone = 'UTC'")
        try:
            connection.execute(f"attach {_text(database)} as held (read_only)")
        except duckdb.Error as error:
            yield Finding(database.name, one_line(error))
            return
        for table in manifest.tables:
            if not _is_right(published, table.file):
                yield Finding(table.path, "its hash is another one, so nothing is compared with it")
                continue
            try:
                finding = _compare(connection, published, table)
            except duckdb.Error as error:
                finding = Finding(f"{table.schema}.{table.table}", one_line(error))
            if finding:
                yield finding


def _compare(
    connection: duckdb.DuckDBPyConnection, published: Path, table: PublishedTable
) -> Finding | None:
    name = f"{table.schema}.{table.table}"
    here = f'from held.{table.schema}."{table.table}"'
    there = f"from read_parquet({_text(published / table.path)})"
    differing = (
        f"(select 'missing' as side, * from ({there} except all {here})"
        f" union all select 'added' as side, * from ({here} except all {there}))"
    )
    ((count,),) = connection.execute(f"select count(*) from {differing}").fetchall()
    if not count:
        return None
    found = connection.execute(f"from {differing} order by all limit {MOST_ROWS}")
    columns = [column[0] for column in found.description]
    rows = [dict(zip(columns, row, strict=True)) for row in found.fetchall()]
    return Finding(name, "rows differ", count, rows)


class _Answer(msgspec.Struct):
    version: str
    statement: str
    rows: list[dict[str, Any]]


def _verify_answer(published: Path, kept: Sequence[Manifest], held: Path) -> Verified:
    """Whether the statement of an answer gives its rows in the version that it names."""
    try:
        answer = msgspec.json.decode(held.read_bytes(), type=_Answer)
    except (OSError, ValueError) as error:
        raise WholesaleError(f"{held} is no answer of `figures --json`: {error}") from None
    manifest = find_version(kept, answer.version)
    with budget.open_within(published / manifest.database.path) as connection:
        connection.execute("set timezone = 'UTC'")
        connection.execute("set enable_external_access = false")
        try:
            found = connection.execute(answer.statement)
            columns = [column[0] for column in found.description or ()]
            rows = [dict(zip(columns, map(_told, row), strict=True)) for row in found.fetchall()]
        except duckdb.Error as error:
            raise WholesaleError(f"its statement cannot be run: {one_line(error)}") from None
    given = [{name: _told(value) for name, value in row.items()} for row in answer.rows]
    differing = [
        *({"side": "missing", **row} for row in rows if row not in given),
        *({"side": "added", **row} for row in given if row not in rows),
    ]
    findings = [Finding(held.name, "rows differ", len(differing), differing[:MOST_ROWS])]
    return Verified(manifest.version, "rows", len(given), findings if differing else [])


def _told(value: object) -> str | None:
    """As JSON has it: digits of numbers, days in ISO 8601."""
    match value:
        case None:
            return None
        case Decimal():
            return f"{value:f}"
        case date():
            return value.isoformat()
        case _:
            return str(value)


def _text(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
