"""Extract and load: one run from the service into the warehouse, with its certificates."""

import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from wholesale.api import RESOURCE, Resource
from wholesale.compare import Stored
from wholesale.dlt_hints import hints_of
from wholesale.errors import ConfigurationError, ServiceError
from wholesale.http import LOOPBACK
from wholesale.settings import ApiSettings
from wholesale.sync import Observe, Reader, Run
from wholesale.tables import Ids, TableShape, concat, shape_of
from wholesale_elt.load.dlt_packages import Packages
from wholesale_elt.load.duckdb_writer import Families
from wholesale_elt.process import hold
from wholesale_elt.warehouse import (
    Certificate,
    Raw,
    Warehouse,
    certificate,
    certify,
    read_history,
    table_of,
)

SANDBOX = "sandbox"
MOST_WRITES = 2
"""Batches that are being written or wait for it: one that waits bridges a commit."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run did: its certificates, one a kind, and what it found out of the ordinary.

    `misfits` counts values kept in `_extra`, by (table, field); `found` are new columns;
    `failures` say of a kind why it could not be read to its end; `not_due` were not read, as
    what is stored of them is young enough.
    """

    run_id: str
    certificates: tuple[Certificate, ...]
    misfits: Mapping[tuple[str, str], int]
    found: tuple[str, ...]
    failures: Mapping[str, str]
    not_due: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        return certificate.is_complete(self.certificates)


def sync_resources(
    settings: ApiSettings,
    warehouse: Warehouse,
    resources: Sequence[str],
    observe: Observe | None = None,
    *,
    is_full: bool = False,
) -> Outcome:
    """Bring these kinds in the raw dataset up to date; safe to repeat at any time.

    `is_full` reads every record afresh and believes any number of deletions.

    Every record is written whole or not at all, and the certificates are written last, so that
    there is none for data that did not arrive. A kind that cannot be read to its end does not
    keep the others from being loaded.

    Raises: AlreadyRunning, ConfigurationError, Unauthorized, and what dlt and the destination
    raise.
    """
    with hold(warehouse.state_folder / "lock"):
        service = service_of(settings)
        run = Run(settings, is_full=is_full, goes_on=True, observe=observe)
        if warehouse.is_duckdb:
            return _sync_families(run, warehouse, resources, service)
        return _sync_packages(run, warehouse, resources, service)


def service_of(settings: ApiSettings) -> str:
    """A name for the service that stays the same from run to run."""
    parts = urlsplit(settings.base_url)
    return SANDBOX if parts.hostname in LOOPBACK else f"{parts.netloc}{parts.path}"


def _sync_families(
    run: Run, warehouse: Warehouse, resources: Sequence[str], service: str
) -> Outcome:
    load_id = str(time.time())  # as dlt names its packages
    with _no_empty_file(warehouse), warehouse.open() as raw:
        _refuse_another_service(raw, service, warehouse)
        due = _due(resources, raw, run.settings)
        run.stored = raw.stored
        columns = raw.columns()
        with Families(raw, run.run_id) as families:
            families.declare({certificate.TABLE: hints_of(certificate.SCHEMA)})
            shapes = [shape_of(RESOURCE[name], columns) for name in due]
            families.declare_families(*shapes)
            for name, shape in zip(due, shapes, strict=True):
                reader = run.begin(RESOURCE[name], shape)
                reader.count_differing(_write(run, reader, families))
                raw.mark_deleted(name, reader.gone, datetime.now(UTC))
                families.commit()
            outcome = _account(run, raw, due, service)
            families.insert(certificate.TABLE, table_of(outcome.certificates))
            raw.client.complete_load(load_id)
    return replace(outcome, not_due=tuple(name for name in resources if name not in due))


@contextmanager
def _no_empty_file(warehouse: Warehouse) -> Iterator[None]:
    """A first run that fails before it has loaded anything leaves no file behind."""
    is_first = not warehouse.may_exist
    try:
        yield
    except (ConfigurationError, ServiceError):
        if is_first and not _holds_records(warehouse):
            warehouse.database.unlink(missing_ok=True)
        raise


def _holds_records(warehouse: Warehouse) -> bool:
    with warehouse.open(is_read_only=True) as raw:
        return any(raw.count(name) for name in RESOURCE)


def _write(run: Run, reader: Reader, families: Families) -> Ids:
    """Write while the next batches are read and decoded; the ids of known records that differed."""
    writing: deque[Future[None]] = deque()
    with ThreadPoolExecutor(1, thread_name_prefix="write") as writer:
        for batch in run.read(reader):
            if len(writing) >= MOST_WRITES:
                writing.popleft().result()
            writing.append(writer.submit(families.write, batch))
        for write in writing:
            write.result()
    differing = [families.settle()]
    for late in reader.late:
        families.write(late)
        differing.append(families.settle())
    return concat(differing)


def _sync_packages(
    run: Run, warehouse: Warehouse, resources: Sequence[str], service: str
) -> Outcome:
    packages = Packages(warehouse)
    with warehouse.open() as raw:
        _refuse_another_service(raw, service, warehouse)
        due = _due(resources, raw, run.settings)
    run.stored = _trusted(warehouse, packages.repair())
    packages.load(run, due)
    with warehouse.open() as raw:
        for name in due:
            raw.mark_deleted(name, run.readers[name].gone, datetime.now(UTC))
        outcome = _account(run, raw, due, service)
    packages.certify(outcome.certificates)
    return replace(outcome, not_due=tuple(name for name in resources if name not in due))


def _due(resources: Sequence[str], raw: Raw, settings: ApiSettings) -> list[str]:
    """Without the kinds that cost a request a parent and were read completely of late."""
    youngest = datetime.now(UTC) - timedelta(hours=settings.child_lists_every_hours)
    return [
        name
        for name in resources
        if RESOURCE[name].parent is None
        or (read_history(raw, name).complete_at or youngest) <= youngest
    ]


def _trusted(
    warehouse: Warehouse, unfinished: Collection[str]
) -> Callable[[Resource, TableShape], Stored]:
    """What is stored of a kind; of one that is not whole the ids count, and no version."""

    def read(resource: Resource, shape: TableShape) -> Stored:
        with warehouse.open() as raw:
            stored = raw.stored(resource, shape)
        return stored.without_versions() if resource.name in unfinished else stored

    return read


def _refuse_another_service(raw: Raw, service: str, warehouse: Warehouse) -> None:
    rows = raw.rows(
        f"select service from {raw.name(certificate.TABLE)} order by run_id desc limit 1"
    )
    if rows and rows[0][0] != service:
        raise ConfigurationError(
            f"{warehouse.name} holds data of {rows[0][0]}, and this run would add data of"
            f" {service}: name another file with --database"
        )


def _account(run: Run, raw: Raw, resources: Sequence[str], service: str) -> Outcome:
    certificates = []
    misfits: dict[tuple[str, str], int] = {}
    found: list[str] = []
    failures: dict[str, str] = {}
    for name in resources:
        reader = run.readers[name]
        certificates.append(
            certify(
                reader.report,
                run_id=run.run_id,
                service=service,
                deleted=len(reader.gone),
                stored=raw.count_alive(name),
            )
        )
        misfits |= reader.report.misfits
        found += reader.report.found
        if reader.report.failure:
            failures[name] = reader.report.failure
    if len(failures) == len(resources) and not any(one.ids_seen for one in certificates):
        first, *others = failures
        too = f"; neither could {', '.join(others)} be read" if others else ""
        raise ServiceError(f"{failures[first]}{too}")
    return Outcome(run.run_id, tuple(certificates), misfits, tuple(found), failures)
