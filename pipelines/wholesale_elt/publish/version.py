"""Version: its DuckDB file, its Parquet files, its manifest."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from importlib.metadata import version as installed_version
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from wholesale.errors import WholesaleError
from wholesale_elt.process import budget
from wholesale_elt.publish.contract import FOLDER as CONTRACTS
from wholesale_elt.publish.manifest import (
    DASHBOARD,
    DATABASE,
    ENTRY,
    Build,
    File,
    Manifest,
    Table,
    describe_file,
)
from wholesale_elt.publish.privacy import personal_columns
from wholesale_elt.publish.store import MOST_CHANGED, Source, Standing
from wholesale_elt.warehouse import RAW_DATASET, Warehouse, quoted
from wholesale_elt.warehouse import TABLE as CERTIFICATES

BI = {"wholesale_bi": "bi"}
BI_AND_MARTS = {"wholesale_marts": "marts", "wholesale_bi": "bi"}
"""Schemas of the warehouse, and what they are called where they are published."""
STORAGE_VERSION = "v1.0.0"
"""Every DuckDB since 1.0 reads such files, so that BI tools may be older than the publisher."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class NotBuilt(WholesaleError):
    """There are no marts to publish."""


@contextmanager
def opened(warehouse: Warehouse, folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to which the warehouse is attached as `warehouse`, read only.

    What does not fit into memory spills into `folder`.
    """
    with (
        TemporaryDirectory(dir=folder) as copies,
        budget.open_within(budget.COPYING, spill=folder) as connection,
    ):
        warehouse.port.attach(connection, Path(copies))
        yield connection


def read_build(connection: duckdb.DuckDBPyConnection, warehouse: Warehouse) -> Build:
    """What is built in the attached warehouse, by its own reports.

    Raises: NotBuilt when the reports are not there, or not those of this version of the models.
    """
    try:
        resources = connection.execute(
            "select resource, is_complete, reason, epoch_us(complete_as_of), epoch_us(built_at)"
            " from warehouse.wholesale_bi.rpt_freshness order by resource"
        ).fetchall()
        (runs,) = connection.execute(
            "select max(run_id) from warehouse.wholesale_bi.rpt_sync_runs"
        ).fetchall()
        (service,) = connection.execute(
            f"select max(service) from warehouse.{RAW_DATASET}.{CERTIFICATES}"
        ).fetchall()
        (settings,) = connection.execute(
            "select currency, time_zone from warehouse.wholesale_bi.rpt_headlines"
        ).fetchall()
    except (duckdb.CatalogException, duckdb.BinderException):
        raise NotBuilt(
            f"{warehouse.name} has no marts of this version of the models: run `wholesale build`"
        ) from None
    if not resources:
        raise NotBuilt(f"{warehouse.name} has no certificate of any sync: run `wholesale sync`")
    reasons = [
        f"{resource}: {reason}"
        for resource, is_complete, reason, *_ in resources
        if not is_complete
    ]
    as_of = [moment for *_, moment, _ in resources]
    return Build(
        source=_told_apart(service[0]),
        run_id=runs[0],
        as_of=None if None in as_of else _iso(min(as_of)),
        built_at=_iso(max(built_at for *_, built_at in resources)),
        verdict="incomplete" if reasons else "complete",
        reasons=reasons,
        currency=settings[0],
        time_zone=settings[1],
    )


def read_personal(
    connection: duckdb.DuckDBPyConnection, schemas: Mapping[str, str]
) -> Sequence[str]:
    """The personal columns of these schemas of the attached warehouse, as `table.column`."""
    columns = connection.execute(
        "select table_name, column_name from duckdb_columns()"
        " where database_name = 'warehouse' and list_contains(?, schema_name)",
        [list(schemas)],
    ).fetchall()
    return personal_columns(columns)


def read_services(connection: duckdb.DuckDBPyConnection) -> Set[str]:
    """The service of the attached warehouse, as `Build.source`, by each name that it ever had:
    another version of this package may have called it otherwise."""
    rows = connection.execute(
        f"select distinct service from warehouse.{RAW_DATASET}.{CERTIFICATES}"
    ).fetchall()
    return {_told_apart(service) for (service,) in rows}


def read_sources(
    connection: duckdb.DuckDBPyConnection, schemas: Mapping[str, str], without: Collection[str]
) -> Sequence[Source]:
    """What is published of the tables of these schemas of the attached warehouse.

    `without` are the columns that are left out, as `table.column`.
    """
    sources = []
    for (schema, table), types in _columns(connection, "warehouse", schemas).items():
        columns = {name: type_ for name, type_ in types.items() if f"{table}.{name}" not in without}
        chosen = ", ".join(f'"{name}"' for name in columns)
        query = f'select {chosen} from warehouse.{schema}."{table}"'
        rows, digest = _content(connection, query, columns)
        sources.append(Source(schemas[schema], table, columns, query, rows, digest))
    return sorted(sources, key=lambda source: (source.schema, source.table))


def write_tables(
    connection: duckdb.DuckDBPyConnection,
    folder: Path,
    sources: Sequence[Source],
    standing: Standing,
) -> None:
    """Copy these tables of the attached warehouse into `folder`, in both forms."""
    changed = [source for source in sources if not standing.is_same(source)]
    is_copy = standing.take_database()
    if is_copy:
        connection.execute(f"attach {quoted(folder / DATABASE)} as version")
        changes = sum(_changes(connection, source) for source in changed)
        if changes * MOST_CHANGED > sum(source.rows for source in sources):
            connection.execute("detach version")
            (folder / DATABASE).unlink()
            is_copy = False
    if not is_copy:
        connection.execute(
            f"attach {quoted(folder / DATABASE)} as version (storage_version '{STORAGE_VERSION}')"
        )
    for schema in {source.schema for source in sources}:
        connection.execute(f"create schema if not exists version.{schema}")
        (folder / "parquet" / schema).mkdir(parents=True)
    known = _columns(connection, "version", {source.schema for source in sources})
    for source in changed if is_copy else sources:
        is_alike = known.get((source.schema, source.table)) == source.types
        if not (is_alike and _patch(connection, source)):
            connection.execute(f"create or replace table {_copy(source)} as {source.query}")
    for source in sources:
        path = folder / "parquet" / source.schema / f"{source.table}.parquet"
        if not standing.take_parquet(source, path):
            connection.execute(
                f"copy (from {_copy(source)}) to {quoted(path)} (format parquet, compression zstd)"
            )
    connection.execute("detach version")


def _columns(
    connection: duckdb.DuckDBPyConnection, database: str, schemas: Collection[str]
) -> Mapping[tuple[str, str], Mapping[str, str]]:
    """The types of the columns of each table, by its schema and name."""
    found = connection.execute(
        "select schema_name, table_name, list(column_name order by column_index),"
        " list(data_type order by column_index) from duckdb_columns()"
        " where database_name = ? and list_contains(?, schema_name)"
        " group by all order by all",
        [database, list(schemas)],
    ).fetchall()
    return {
        (schema, table): dict(zip(names, types, strict=True))
        for schema, table, names, types in found
    }


def _row_hash(columns: Collection[str]) -> str:
    """The outer hash, as the inner one takes the last column in by XOR, unmixed."""
    chosen = ", ".join(f'"{name}"' for name in columns)
    return f"hash(hash({chosen}))"


def _content(
    connection: duckdb.DuckDBPyConnection, query: str, columns: Mapping[str, str]
) -> tuple[int, str]:
    """How many rows there are, and a digest of them and of the columns."""
    ((rows, total),) = connection.execute(
        f"select count(*), sum({_row_hash(columns)}) from ({query})"
    ).fetchall()
    content = json.dumps([duckdb.__version__, columns, rows, str(total)])
    return rows, sha256(content.encode()).hexdigest()


def _told_apart(service: object) -> str:
    return sha256(str(service).encode()).hexdigest()[:16]


def _copy(source: Source) -> str:
    return f'version.{source.schema}."{source.table}"'


def _changes(connection: duckdb.DuckDBPyConnection, source: Source) -> int:
    """How many rows of the attached copy of the last version go or come."""
    hashes = _row_hash(source.types)
    ((changes,),) = connection.execute(
        f"""
        select count(*)
        from (select {hashes} as row_hash from {_copy(source)}) as last
        full join (select {hashes} as row_hash from ({source.query})) as next using (row_hash)
        where last.row_hash is null or next.row_hash is null
        """
    ).fetchall()
    return int(changes)


def _patch(connection: duckdb.DuckDBPyConnection, source: Source) -> bool:
    """Take rows from the table of the last version, and put rows into it, until it is the next.

    False, and it is as it was, if that is not what came of it: rows that are there twice.
    """
    copy, hashes = _copy(source), _row_hash(source.types)
    connection.execute("begin")
    connection.execute(
        f"delete from {copy} where {hashes} not in (select {hashes} from ({source.query}))"
    )
    connection.execute(
        f"insert into {copy} {source.query} where {hashes} not in (select {hashes} from {copy})"
    )
    is_next = _content(connection, f"from {copy}", source.types) == (source.rows, source.digest)
    connection.execute("commit" if is_next else "rollback")
    return is_next


def describe(
    folder: Path,
    build: Build,
    personal: Sequence[str],
    now: datetime,
    sources: Sequence[Source],
    taken: Mapping[Path, File],
) -> Manifest:
    """The manifest of the tables written into `folder`, as yet without a dashboard's files.

    Versions sort by the time of publication; what follows it is the beginning of the hash of the
    DuckDB file. Files that were `taken` over are described already.
    """
    database = describe_file(folder, folder / DATABASE)
    version = f"{now:%Y%m%dT%H%M%S}{now.microsecond // 1000:03d}Z-{database.sha256[:8]}"
    root = f"versions/{version}/"
    tables = []
    for source in sources:
        path = folder / "parquet" / source.schema / f"{source.table}.parquet"
        file = taken.get(path) or describe_file(folder, path)
        tables.append(
            Table(
                schema=source.schema,
                table=source.table,
                rows=source.rows,
                path=root + path.relative_to(folder).as_posix(),
                bytes=file.bytes,
                sha256=file.sha256,
                digest=source.digest,
            )
        )
    contracts = [describe_file(folder, path) for path in sorted(folder.glob(f"{CONTRACTS}/*"))]
    return Manifest(
        **asdict(build),
        version=version,
        published_at=now.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        software=software(),
        database=File(root + database.path, database.bytes, database.sha256),
        tables=tables,
        contracts=[File(root + file.path, file.bytes, file.sha256) for file in contracts],
        personal=personal,
        dashboard=f"{DASHBOARD}/{version}/{ENTRY}",
        dashboard_files=[],
    )


def with_dashboard(folder: Path, manifest: Manifest, taken: Mapping[Path, File]) -> Manifest:
    """The same with the files of the dashboard that was written into `folder`."""
    return replace(manifest, dashboard_files=describe_site(folder, manifest.version, taken))


def describe_site(folder: Path, version: str, taken: Mapping[Path, File]) -> Sequence[File]:
    """The files of the dashboard in `folder`, by where they stand once that version is in force."""
    site = folder / DASHBOARD
    place = f"{DASHBOARD}/{version}"
    files = []
    for path in sorted(site.rglob("*")):
        if path.is_file():
            file = taken.get(path) or describe_file(site, path)
            files.append(
                File(f"{place}/{path.relative_to(site).as_posix()}", file.bytes, file.sha256)
            )
    return files


def software() -> str:
    """What makes the versions; another one makes others of the same build."""
    return f"wholesale-elt {installed_version('wholesale-elt')}"


def _iso(microseconds: int) -> str:
    at = EPOCH + timedelta(microseconds=microseconds)
    return at.isoformat(timespec="microseconds").replace("+00:00", "Z")
