"""Version: its DuckDB file, its Parquet files, its manifest."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from hashlib import file_digest, sha256
from importlib.metadata import version as installed_version
from pathlib import Path

import duckdb
import pyarrow.parquet as parquet

from wholesale.errors import WholesaleError
from wholesale_elt.process import budget
from wholesale_elt.publish.manifest import DASHBOARD, DATABASE, ENTRY, Build, File, Manifest, Table
from wholesale_elt.publish.privacy import personal_columns
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
    with budget.open_within(budget.COPYING, spill=folder) as connection:
        connection.execute(f"attach {quoted(warehouse.database)} as warehouse (read_only)")
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
        source=sha256(str(service[0]).encode()).hexdigest()[:16],
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


def write_tables(
    connection: duckdb.DuckDBPyConnection,
    folder: Path,
    schemas: Mapping[str, str],
    without: Collection[str],
) -> None:
    """Copy the tables of these schemas of the attached warehouse into `folder`, in both forms.

    `without` are the columns that are left out, as `table.column`.
    """
    connection.execute(
        f"attach {quoted(folder / DATABASE)} as version (storage_version '{STORAGE_VERSION}')"
    )
    for source, schema in schemas.items():
        connection.execute(f"create schema version.{schema}")
        place = folder / "parquet" / schema
        place.mkdir(parents=True)
        for (table,) in connection.execute(
            "select table_name from duckdb_tables()"
            " where database_name = 'warehouse' and schema_name = ? order by all",
            [source],
        ).fetchall():
            copy = f'version.{schema}."{table}"'
            left_out = [
                f'"{column}"'
                for owner, _, column in (name.partition(".") for name in without)
                if owner == table
            ]
            columns = f"* exclude ({', '.join(left_out)})" if left_out else "*"
            connection.execute(
                f'create table {copy} as select {columns} from warehouse.{source}."{table}"'
            )
            connection.execute(
                f"copy (from {copy}) to {quoted(place / f'{table}.parquet')}"
                " (format parquet, compression zstd)"
            )
    connection.execute("detach version")


def describe(folder: Path, build: Build, personal: Sequence[str], now: datetime) -> Manifest:
    """The manifest of the tables written into `folder`, as yet without a dashboard's files.

    Versions sort by the time of publication; what follows it is the beginning of the hash of the
    DuckDB file.
    """
    database = describe_file(folder, folder / DATABASE)
    version = f"{now:%Y%m%dT%H%M%S}{now.microsecond // 1000:03d}Z-{database.sha256[:8]}"
    root = f"versions/{version}/"
    tables = []
    for path in sorted(folder.glob("parquet/*/*.parquet")):
        file = describe_file(folder, path)
        tables.append(
            Table(
                schema=path.parent.name,
                table=path.stem,
                rows=parquet.read_metadata(path).num_rows,
                path=root + file.path,
                bytes=file.bytes,
                sha256=file.sha256,
            )
        )
    return Manifest(
        **asdict(build),
        version=version,
        published_at=now.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        software=software(),
        database=File(root + database.path, database.bytes, database.sha256),
        tables=tables,
        personal=personal,
        dashboard=f"{DASHBOARD}/{version}/{ENTRY}",
        dashboard_files=[],
    )


def with_dashboard(folder: Path, manifest: Manifest) -> Manifest:
    """The same with the files of the dashboard that was written into `folder`."""
    site = folder / DASHBOARD
    found = [describe_file(site, path) for path in sorted(site.rglob("*")) if path.is_file()]
    place = f"{DASHBOARD}/{manifest.version}"
    return replace(
        manifest,
        dashboard_files=[File(f"{place}/{file.path}", file.bytes, file.sha256) for file in found],
    )


def describe_file(root: Path, path: Path) -> File:
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    return File(path.relative_to(root).as_posix(), path.stat().st_size, digest)


def software() -> str:
    """What makes the versions; another one makes others of the same build."""
    return f"wholesale-elt {installed_version('wholesale-elt')}"


def _iso(microseconds: int) -> str:
    at = EPOCH + timedelta(microseconds=microseconds)
    return at.isoformat(timespec="microseconds").replace("+00:00", "Z")
