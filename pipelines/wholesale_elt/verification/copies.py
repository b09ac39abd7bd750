"""Copies: tables of a DuckDB file by their digests, wherever it went.

The digests are those of the manifest, or the file's own where its version is not kept. A version
has all rows twice, and so a table that differs is compared with its Parquet file, row by row, as
long as that is as it was.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb

from wholesale.compare import Digest
from wholesale.errors import WholesaleError, one_line
from wholesale_elt.publish import (
    Manifest,
    NotPublished,
    digest_of_table,
    find_version,
    kept_versions,
    rows_of_table,
)
from wholesale_elt.verification.findings import MOST_ROWS, Finding, Verified, is_right
from wholesale_elt.verification.records import of_records
from wholesale_elt.warehouse import RAW_DATASET, open_file, quoted

NO_TABLE = "it is no table of the file"
BUILT_AT = "select strftime(built_at, '%Y-%m-%dT%H:%M:%S.%fZ') as built, * from meta.versions"
DIGESTS = "select schema_name, table_name, digest from meta.digests"
KEYS = "select schema_name, table_name, key_columns from meta.tables"
HELD = (
    "select schema_name || '.' || table_name from duckdb_tables()"
    " where database_name = current_database()"
)
OF_VERSIONS, OF_TABLES, OF_DIGESTS = "meta.versions", "meta.tables", "meta.digests"
PLAIN = re.compile(r"\w+\.\w+", re.ASCII)
"""A table of any version; another name is not put into SQL."""


def verify_copy(published: Path, version: str | None, held: Path) -> Verified:
    """Whether the tables of a copy of a version's DuckDB file are those of the version."""
    with ExitStack() as opened:
        try:
            connection = opened.enter_context(open_file(held, beside=published))
            tables = [name for (name,) in connection.execute(HELD).fetchall()]
            if not {OF_VERSIONS, OF_TABLES} <= {*tables}:
                raise WholesaleError(f"it has no tables {OF_VERSIONS} and {OF_TABLES}")
            [about_it] = connection.sql(BUILT_AT).to_arrow_table().to_pylist()
            keys = _by_table(connection, KEYS)
            # An older release's file has no digests, or somebody removed them.
            claimed = _by_table(connection, DIGESTS) if OF_DIGESTS in tables else {}
        except (duckdb.Error, ValueError, WholesaleError) as error:
            return Verified(held.name, "tables", 0, [Finding(held.name, one_line(error))])
        tables = [name for name in tables if name != OF_DIGESTS]
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
            if name not in tables or not PLAIN.fullmatch(name):
                findings.append(Finding(name, NO_TABLE))
            elif digest is None:
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
        return find_version(published, version)
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
        if f"{table.schema}.{table.table}" == name and is_right(published, table.file):
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
