"""Published: files by their hashes, tables of a DuckDB file by their digests, wherever it went.

The digests are those of the manifest, or the file's own where its version is not kept. A version
has all rows twice, and so a table that differs is compared with its Parquet file, row by row, as
long as that is as it was.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb

from wholesale.compare import Digest
from wholesale.errors import one_line
from wholesale_elt.differences import CURRENT_VERSION, find_version, kept_versions
from wholesale_elt.process import budget
from wholesale_elt.publish import (
    File,
    Manifest,
    NotPublished,
    describe_file,
    digest_of_table,
    rows_of_table,
)
from wholesale_elt.verification.answers import compare_answer, read_answer
from wholesale_elt.verification.findings import MOST_ROWS, Finding, Verified, of_records
from wholesale_elt.warehouse import RAW_DATASET, quoted

ANOTHER = "its hash is another one"
BUILT_AT = "select strftime(built_at, '%Y-%m-%dT%H:%M:%S.%fZ') as built, * from meta.versions"
DIGESTS = "select schema_name, table_name, digest from meta.digests"
KEYS = "select schema_name, table_name, key_columns from meta.tables"
HELD = (
    "select schema_name || '.' || table_name from duckdb_tables()"
    " where database_name = current_database() and (schema_name, table_name) <> ('meta', 'digests')"
)
"""All tables of the file but that of their digests."""


def verify(published: Path, version: str | None = None, held: Path | None = None) -> Verified:
    """Whether the files of a version are as they were published; or the tables of a copy of its
    DuckDB file, or the rows of an answer. A copy and an answer tell themselves of which version.

    Raises: NotPublished if the folder holds none; Unanswerable for a version that is not kept;
    WholesaleError for what is no copy and no answer.
    """
    published = published.expanduser()
    if held is None:
        return _verify_files(published, version or CURRENT_VERSION)
    if held.suffix == ".json":
        return _verify_answer(published, held)
    return _verify_copy(published, version, held)


def _verify_files(published: Path, version: str) -> Verified:
    manifest = find_version(kept_versions(published), version)
    damaged = [file for file in manifest.files if not _is_right(published, file)]
    findings = [Finding(file.path, ANOTHER) for file in damaged]
    if manifest.database in damaged:
        path = published / manifest.database.path
        findings += _verify_copy(published, manifest.version, path).findings
    return Verified(manifest.version, "files", len(manifest.files), findings)


def _verify_answer(published: Path, held: Path) -> Verified:
    answer = read_answer(held)
    manifest = find_version(kept_versions(published), answer.version)
    findings = [Finding(manifest.database.path, ANOTHER)]
    if _is_right(published, manifest.database):
        found = compare_answer(answer, published / manifest.database.path, held.name)
        findings = [found] if found else []
    return Verified(manifest.version, "rows", len(answer.rows), findings)


def _verify_copy(published: Path, version: str | None, held: Path) -> Verified:
    with budget.open_within() as connection:
        connection.execute("set timezone = 'UTC'")
        try:
            connection.execute(f"attach {quoted(held)} as held (read_only)")
            connection.execute("use held")
            [about_it] = connection.execute(BUILT_AT).to_arrow_table().to_pylist()
            keys = _by_table(connection, KEYS)
            tables = [name for (name,) in connection.execute(HELD).fetchall()]
        except (duckdb.Error, ValueError) as error:
            return Verified(held.name, "tables", 0, [Finding(held.name, one_line(error))])
        claimed = {}
        with suppress(duckdb.CatalogException):  # of an older release, or it was removed
            claimed = _by_table(connection, DIGESTS)
        built_at, part = about_it["built"], about_it.get("part")
        manifest = _version_of(published, version, built_at, part, claimed)
        if manifest:
            claimed = dict(manifest.digests)
        unproved = sorted({*tables} - claimed.keys())
        findings = []
        for name, text in claimed.items():
            if name.startswith(f"{RAW_DATASET}."):
                continue  # is not in the file
            digest = Digest.of(text)
            if digest is None:
                unproved.append(name)
            elif found := _differing(connection, name, digest, keys.get(name) or ()):
                parquet = _parquet_of(published, manifest, name)
                findings.append(_compared(connection, found, parquet) if parquet else found)
    about = manifest.version if manifest else f"the build of {built_at}"
    count = len({*tables, *claimed} - {*unproved})
    count -= sum(name.startswith(f"{RAW_DATASET}.") for name in claimed)
    return Verified(about, "tables", count, findings, unproved)


def _by_table(connection: duckdb.DuckDBPyConnection, sql: str) -> dict[str, Any]:
    return {f"{schema}.{table}": told for schema, table, told in connection.execute(sql).fetchall()}


def _version_of(
    published: Path,
    version: str | None,
    built_at: str,
    part: str | None,
    digests: Mapping[str, str],
) -> Manifest | None:
    """The version of that name; or of that build and part with the same tables, the one with these
    digests rather than another; None if none of it is kept.

    Raises: NotPublished and Unanswerable, of a version that is named.
    """
    if version:
        return find_version(kept_versions(published), version)
    with suppress(NotPublished):
        kept = [
            each
            for each in kept_versions(published)
            if (each.built_at, each.only) == (built_at, part)
            and (not digests or each.digests.keys() == digests.keys())
        ]
        return max(reversed(kept), key=lambda each: each.digests == digests, default=None)
    return None


def _differing(
    connection: duckdb.DuckDBPyConnection, name: str, claimed: Digest, key: Sequence[str]
) -> Finding | None:
    schema, table = name.split(".")
    try:
        found = digest_of_table(connection, schema, table, key)
    except (duckdb.Error, KeyError) as error:  # the table is gone, or a column of its key
        return Finding(name, one_line(error))
    stored = ((rows, key) for rows in rows_of_table(connection, schema, table))
    return of_records(name, claimed, found, key, stored)


def _parquet_of(published: Path, manifest: Manifest | None, name: str) -> Path | None:
    """The Parquet file of a table, if it is as it was."""
    for table in manifest.tables if manifest else ():
        if f"{table.schema}.{table.table}" == name and _is_right(published, table.file):
            return published / table.path
    return None


def _compared(connection: duckdb.DuckDBPyConnection, found: Finding, parquet: Path) -> Finding:
    """What differs, row by row."""
    schema, table = found.what.split(".")
    here, there = f'from {schema}."{table}"', f"from read_parquet({quoted(parquet)})"
    differing = (
        f"(select 'missing' as side, * from ({there} except all {here})"
        f" union all select 'added' as side, * from ({here} except all {there}))"
    )
    try:
        ((count,),) = connection.execute(f"select count(*) from {differing}").fetchall()
        told = connection.execute(f"from {differing} order by all limit {MOST_ROWS}")
    except duckdb.Error as error:  # the columns are other ones
        return replace(found, reason=one_line(error))
    columns = [column[0] for column in told.description]
    rows = [dict(zip(columns, row, strict=True)) for row in told.fetchall()]
    return replace(found, row_count=count, rows=rows)


def _is_right(published: Path, file: File) -> bool:
    path = published / file.path
    return path.exists() and describe_file(published, path) == file
