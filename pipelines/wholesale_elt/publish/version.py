"""Version: reads the build that a version is made of, the whole or a part that is built for it, and
writes its manifest."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from wholesale.api import typed_id
from wholesale.errors import ConfigurationError, WholesaleError
from wholesale_elt.causes import build_as_of, folder_for
from wholesale_elt.dashboard import written_settings
from wholesale_elt.load import PART_KINDS
from wholesale_elt.models import (
    BUILD_SCHEMA,
    MARK,
    OWN_SCHEMA,
    Found,
    NotRendered,
    goals_of,
    read_added,
)
from wholesale_elt.process import budget, environment
from wholesale_elt.publish.manifest import (
    CONTRACTS,
    DASHBOARD,
    DATABASE,
    ENTRY,
    Build,
    BuildFinding,
    Facts,
    File,
    Manifest,
    PublishedTable,
    describe_file,
)
from wholesale_elt.publish.privacy import personal_columns
from wholesale_elt.publish.tables import Source
from wholesale_elt.runs import (
    DIGEST,
    UNKNOWN_STATES,
    UnknownState,
    recency,
    refuse_newer,
    this_release,
    unknown_states,
)
from wholesale_elt.warehouse import CERTIFICATES, DUCKDB, RAW_DATASET, RELEASES, Warehouse

BI = ("wholesale_bi", OWN_SCHEMA)
PUBLISHED = ("wholesale_marts", *BI)
"""Schemas, which are called the same in the warehouse and in what is published."""
PACKAGE = Path(__file__).parents[1]
CODE = frozenset({".py", ".js", ".css", ".html"})
CHANGED = "[build] models, metrics or extra_fields are others than those of the last build"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class NotBuilt(WholesaleError):
    """There are no marts to publish: the models were not built."""


@contextmanager
def opened(
    warehouse: Warehouse, folder: Path, schemas: Collection[str]
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to which these schemas of the warehouse are attached as `warehouse`, read only.

    What does not fit into memory spills into `folder`.
    """
    with (
        TemporaryDirectory(dir=folder) as copies,
        budget.open_within(spill=folder) as connection,
    ):
        # Threads that share a core take more processor time than they save time.
        connection.execute(f"set threads = {max(1, (os.cpu_count() or 1) // 2)}")
        connection.execute("set timezone = 'UTC'")
        warehouse.port.attach(connection, Path(copies), (*schemas, BUILD_SCHEMA))
        yield connection


def read_build(
    connection: duckdb.DuckDBPyConnection, warehouse: Warehouse, only: str | None = None
) -> Build:
    """The build in the attached warehouse, as its own reports describe it; the warehouse has the
    part `only`, if that is given.

    Raises: NotBuilt if there are no reports, or those of another version of the models.
    """
    try:
        resources = connection.execute(
            "select resource, is_complete, reason, epoch_us(complete_as_of), epoch_us(built_at)"
            " from warehouse.wholesale_bi.rpt_freshness order by resource"
        ).fetchall()
        (runs,) = connection.execute(
            "select run_id from warehouse.wholesale_bi.rpt_sync_runs where is_latest"
            f" order by {recency()} desc, run_id desc limit 1"
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
        source=_told_apart(service[0], only),
        run_id=runs[0],
        as_of=None if None in as_of else _moment(min(as_of)),
        built_at=_moment(max(built_at for *_, built_at in resources)),
        verdict="incomplete" if reasons else "complete",
        reasons=reasons,
        currency=settings[0],
        time_zone=settings[1],
        only=only,
        findings=_read_findings(connection),
        unknown_states=_read_unknown_states(connection),
    )


def _read_findings(connection: duckdb.DuckDBPyConnection) -> Sequence[BuildFinding]:
    """What the tests of the build in force warn of, as its mark has it."""
    try:
        found = connection.execute(
            f"select name, value from warehouse.{MARK}"
            " where part = 'found' and value <> '0' order by name"
        ).fetchall()
    except duckdb.CatalogException:  # dbt built it by itself, which keeps no mark
        return []
    parsed = [(test, Found.of(value)) for test, value in found]
    return [BuildFinding(test, each.rows, each.records, each.amount) for test, each in parsed]


def _read_unknown_states(connection: duckdb.DuckDBPyConnection) -> Sequence[UnknownState]:
    """The states that no setting gave a meaning when the build in force was made."""
    try:
        found = connection.execute(UNKNOWN_STATES.format(source="warehouse."))
    except duckdb.CatalogException:  # an earlier release built it
        return []
    return unknown_states(found.fetchall())


def plain_part(only: str) -> str:
    """A part as manifests name it.

    Raises: ConfigurationError for what names none.
    """
    kind, _, key = only.partition("=")
    if kind not in PART_KINDS or not key.strip():
        known = ", ".join(f"{name}=ID" for name in PART_KINDS[:-1])
        raise ConfigurationError(
            f"{only} is no part of an account: write {known} or {PART_KINDS[-1]}=ID"
        )
    return f"{kind}={typed_id(key.strip())}"


@contextmanager
def part_of(warehouse: Warehouse, only: str | None) -> Iterator[Warehouse]:
    """The warehouse; or one with what is of a part `only`, as the last build has it, which is gone
    at the end. The caller has the lock of publishing it.

    All of it is built by the same SQL of its rows alone, so no table has to leave out any.
    Raises: NotBuilt, NotLoaded, BuildFailed; ConfigurationError for a part that is not stored, or
    a warehouse of a newer version; AlreadyRunning.
    """
    if only is None:
        yield warehouse
        return
    with folder_for(warehouse, "publish/part") as folder:
        with warehouse.hold(is_read_only=True), opened(warehouse, folder, BI) as connection:
            refuse_newer(read_releases(connection), warehouse)
            build = read_build(connection, warehouse)
        file = folder / "part.duckdb"
        kind, _, key = only.partition("=")
        with (
            environment({"BUILD__CURRENCY": build.currency, "BUILD__ENGINE": DUCKDB}),
            goals_of(kind, [key]),
        ):
            build_as_of(
                *(warehouse, datetime.fromisoformat(build.built_at), file),
                part=only,
            )
            yield Warehouse(file)


def read_personal(connection: duckdb.DuckDBPyConnection, schemas: Collection[str]) -> Sequence[str]:
    """The personal columns of these schemas of the attached warehouse, as `table.column`: those of
    such a name, and those of users' models that a build found."""
    columns = connection.execute(
        "select table_name, column_name from duckdb_columns()"
        " where database_name = 'warehouse' and list_contains(?, schema_name)",
        [list(schemas)],
    ).fetchall()
    found = []
    if OWN_SCHEMA in schemas:
        found = connection.execute(
            f"select name from warehouse.{MARK} where part = 'personal'"
        ).fetchall()
    return sorted({*personal_columns(columns), *(name for (name,) in found)})


def read_mistake(connection: duckdb.DuckDBPyConnection) -> str:
    """Why what users added does not count in the attached warehouse: something is wrong with it, or
    it is not what was built."""
    try:
        rows = connection.execute(
            f"select name, value from warehouse.{MARK} where part = 'own'"
        ).fetchall()
    except duckdb.CatalogException:  # dbt built it by itself, which keeps no mark
        return ""
    built: Mapping[str, str] = dict(rows)
    try:
        is_another = read_added().digest != built.get("digest", "")
    except NotRendered as error:
        return str(error)
    return built.get("left_out", "") or (CHANGED if is_another else "")


def there(connection: duckdb.DuckDBPyConnection, schemas: Collection[str]) -> Collection[str]:
    """Those of these schemas that have a table in the attached warehouse."""
    found = connection.execute(
        "select distinct schema_name from duckdb_columns() where database_name = 'warehouse'"
    ).fetchall()
    return [schema for schema in schemas if (schema,) in found]


def read_services(connection: duckdb.DuckDBPyConnection, only: str | None) -> Set[str]:
    """The service, and the part `only`, of the attached warehouse, as `Build.source`, under each of
    its names: other versions of this package may have named it differently."""
    rows = connection.execute(
        f"select distinct service from warehouse.{RAW_DATASET}.{CERTIFICATES}"
    ).fetchall()
    return {_told_apart(service, only) for (service,) in rows}


def read_digests(connection: duckdb.DuckDBPyConnection, build: Build) -> Mapping[str, str]:
    """The digests that the runs up to this build noted of what the attached warehouse has, by
    `schema.table`; without those that were withdrawn."""
    try:
        rows = connection.execute(
            f"select resource, {DIGEST} from warehouse.{RAW_DATASET}.{CERTIFICATES}"
            " where run_id <= ?"
            " qualify row_number() over (partition by resource order by run_id desc) = 1",
            [build.run_id],
        ).fetchall()
    except duckdb.BinderException:  # nothing was loaded since an older release
        return {}
    return {f"{RAW_DATASET}.{resource}": digest for resource, digest in rows if digest}


def read_releases(connection: duckdb.DuckDBPyConnection) -> Sequence[str]:
    """The releases of this package that wrote into the attached warehouse."""
    try:
        rows = connection.execute(
            f"select version from warehouse.{RAW_DATASET}.{RELEASES}"
        ).fetchall()
    except duckdb.CatalogException:  # nothing was loaded
        return ()
    return [version for (version,) in rows]


def _told_apart(service: object, only: str | None) -> str:
    """A part of an account is another source, so that no place ever takes both."""
    named = f"{service} {only}" if only else str(service)
    return sha256(named.encode()).hexdigest()[:16]


def describe(
    folder: Path,
    build: Build,
    personal: Sequence[str],
    now: datetime,
    sources: Sequence[Source],
    fixed: Mapping[str, Iterable[Path]],
    digests: Mapping[str, str],
    facts: Facts,
) -> Manifest:
    """The manifest of the tables written into `folder`, without the dashboard's files.

    `fixed` are the files with a fixed name that each addition wrote.
    """
    database = describe_file(folder, folder / DATABASE)
    version = name_of_version(now, database.sha256)
    root = f"versions/{version}/"
    tables = [_table(folder, root, source) for source in sources]
    contracts = sorted(folder.glob(f"{CONTRACTS}/*"))
    return Manifest(
        **{each.name: getattr(build, each.name) for each in fields(Build)},
        version=version,
        published_at=iso_time(now, "milliseconds"),
        software=software(),
        made_with=made_with(),
        database=File(root + database.path, database.bytes, database.sha256),
        tables=tables,
        contracts=_files(folder, root, contracts),
        additions=list(fixed),
        fixed=_files(folder, root, sorted(path for paths in fixed.values() for path in paths)),
        personal=personal,
        digests=digests,
        facts=facts,
        dashboard=f"{DASHBOARD}/{version}/{ENTRY}",
        dashboard_files=[],
    )


def _files(folder: Path, root: str, paths: Iterable[Path]) -> Sequence[File]:
    files = [describe_file(folder, path) for path in paths]
    return [replace(file, path=root + file.path) for file in files]


def _table(folder: Path, root: str, source: Source) -> PublishedTable:
    if source.stored:
        return PublishedTable(
            *(source.schema, source.table, source.rows, "", 0, ""),
            digest=source.digest,
            snapshot=source.stored.snapshot,
            lake_files=source.stored.files,
        )
    file = describe_file(folder, folder / source.parquet)
    return PublishedTable(
        schema=source.schema,
        table=source.table,
        rows=source.rows,
        path=root + file.path,
        bytes=file.bytes,
        sha256=file.sha256,
        digest=source.digest,
    )


def with_dashboard(folder: Path, manifest: Manifest) -> Manifest:
    """The manifest with the files of the dashboard that was written into `folder`."""
    return replace(manifest, dashboard_files=describe_site(folder, manifest.version))


def describe_site(folder: Path, version: str) -> Sequence[File]:
    """The files of the dashboard in `folder`, by their paths in the published folder."""
    site = folder / DASHBOARD
    found = [describe_file(site, path) for path in sorted(site.rglob("*")) if path.is_file()]
    return [replace(file, path=f"{DASHBOARD}/{version}/{file.path}") for file in found]


def software() -> str:
    """The release of this package."""
    return f"wholesale-elt {this_release()}"


def made_with() -> str:
    """A digest of what the files of a version follow from besides the tables and what plug-ins add:
    the code, as a checkout may have another one of the same release, and the dashboard's settings.
    """
    digest = sha256(software().encode())
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in CODE:
            digest.update(path.read_bytes())
    digest.update(written_settings().encode())
    return digest.hexdigest()[:16]


def name_of_version(at: datetime, sha256: str) -> str:
    """A name for a version: when it was published (UTC), so that names sort by that, and the first
    digits of a hash of its content."""
    return f"{at:%Y%m%dT%H%M%S}{at.microsecond // 1000:03d}Z-{sha256[:8]}"


def iso_time(at: datetime, precision: str = "auto") -> str:
    """A time in UTC as ISO 8601 with a `Z`; `precision` as `timespec` of `isoformat`."""
    return at.isoformat(timespec=precision).replace("+00:00", "Z")


def _moment(microseconds: int) -> str:
    return iso_time(EPOCH + timedelta(microseconds=microseconds), "microseconds")
