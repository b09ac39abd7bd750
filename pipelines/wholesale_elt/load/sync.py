"""Sync: one run from the service into the warehouse, with its certificates."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from wholesale.api import RESOURCE
from wholesale.configuration import read_policy
from wholesale.errors import ConfigurationError, ServiceError
from wholesale.http import Traffic
from wholesale.names import moment_of
from wholesale.privacy import Masking
from wholesale.settings import ApiSettings
from wholesale.sync import Observe, Run
from wholesale_elt.load.writer import Writer
from wholesale_elt.past import digest_now
from wholesale_elt.runs import (
    ABSENT,
    REFUSED,
    Certificate,
    Identity,
    SchemaChange,
    certify,
    find_damage,
    forget_later_digests,
    is_complete,
    read_complete_moments,
    read_erased,
    read_profile,
    rows_of_run,
)
from wholesale_elt.warehouse import Raw, Warehouse


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a run: a certificate for each resource, and everything unusual.

    `misfits` counts values kept in `_extra`, by (table, field); `found` are new columns;
    `failures` say, by resource, why it could not be read to its end; `not_due` are resources that
    were not read, as they are recent enough; `changes` are changes in what the service sends;
    `traffic` counts requests and bytes by resource; `local_times` are columns of which times came
    without an offset, which no run before has told, and no setting says in which zone they are.
    """

    run_id: str
    certificates: tuple[Certificate, ...]
    misfits: Mapping[tuple[str, str], int]
    found: tuple[str, ...]
    failures: Mapping[str, str]
    not_due: tuple[str, ...] = ()
    changes: tuple[SchemaChange, ...] = ()
    traffic: Mapping[str, Traffic] = field(default_factory=dict)
    local_times: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        return is_complete(self.certificates)


def sync_resources(
    settings: ApiSettings,
    warehouse: Warehouse,
    resources: Sequence[str],
    observe: Observe | None = None,
    *,
    is_full: bool = False,
) -> Outcome:
    """Bring these resources in the raw dataset up to date; safe to repeat at any time.

    `is_full` reads every record again, and asks for each one that is not listed any more.

    Every record is written whole or not at all. Certificates are written last, so none certifies
    data that did not arrive. If one resource cannot be read to its end, the others are still
    loaded. Section `privacy` of dlt's configuration says what may be stored.

    Raises: AlreadyRunning, ConfigurationError, Unauthorized, and what dlt and the destination
    raise.
    """
    identity = Identity(settings, warehouse)
    run = Run(settings, is_full=is_full, goes_on=True, observe=observe, identify=identity.see)
    policy = read_policy()
    with (
        warehouse.hold(),
        _no_empty_file(warehouse),
        Writer(warehouse, run.run_id) as writer,
        run.service.client,  # its connections serve one resource after the other
    ):
        raw = writer.raw
        identity.expect(raw)
        run.masking = Masking(policy, read_erased(raw))
        due = _due(resources, raw, settings)
        run.known = read_profile(raw)
        writer.load(run, sorted(due, key=lambda name: bool(RESOURCE[name].copied_names)))
        forget_later_digests(raw, run.run_id)
        certificates = tuple(
            _certificate(run, name, writer, identity.service, warehouse.destination) for name in due
        )
        changes = writer.watch.changes(run, due)
        profile = run.profile if run.profile != run.known else None
        try:
            outcome = _outcome(run, certificates, resources, changes)
        except ServiceError:
            if run.known and profile:  # a fact may be why nothing could be read: look anew
                writer.certify(rows_of_run(run.run_id, (), {}, profile, ()))
            raise
        suspects = _suspects(run, due)
        writer.certify(rows_of_run(run.run_id, certificates, suspects, profile, changes))
    return outcome


@contextmanager
def _no_empty_file(warehouse: Warehouse) -> Iterator[None]:
    """Remove the file of a first run that fails before it has loaded anything."""
    is_first = not warehouse.may_exist
    try:
        yield
    except (ConfigurationError, ServiceError):
        if is_first and warehouse.may_exist and not _holds_records(warehouse):
            warehouse.database.unlink(missing_ok=True)
        raise


def _holds_records(warehouse: Warehouse) -> bool:
    with warehouse.open(is_read_only=True) as raw:
        return raw.has_records()


def _due(resources: Sequence[str], raw: Raw, settings: ApiSettings) -> Sequence[str]:
    """These resources, without child lists that were proved complete recently enough."""
    if not settings.child_lists_every_hours:
        return resources
    youngest = datetime.now(UTC) - timedelta(hours=settings.child_lists_every_hours)
    complete = read_complete_moments(raw)
    return [
        name
        for name in resources
        if RESOURCE[name].parent is None or complete.get(name, youngest) <= youngest
    ]


def _certificate(
    run: Run, name: str, writer: Writer, service: str, destination: str
) -> Certificate:
    raw, reader = writer.raw, run.readers[name]
    is_changed = reader.tally.loaded or reader.gone
    digest = writer.appended.digest_of(name) or digest_now(
        raw, reader.shape, moment_of(run.run_id), is_afresh=run.is_full
    )
    return certify(
        reader.tally,
        reader.doubts,
        run_id=run.run_id,
        service=service,
        destination=destination,
        deleted=reader.tally.deleted,
        stored=raw.count_alive(name),
        damaged=len(find_damage(raw, reader.shape)) if is_changed else 0,
        digest=digest.text,
    )


def _suspects(run: Run, resources: Sequence[str]) -> Mapping[tuple[str, str], Sequence[str]]:
    """Ids of the records that were left open, by resource and reason."""
    found = {name: run.readers[name].doubts for name in resources}
    absent = {(name, ABSENT): doubts.suspects for name, doubts in found.items()}
    return absent | {(name, REFUSED): doubts.refused for name, doubts in found.items()}


def _outcome(
    run: Run,
    certificates: Sequence[Certificate],
    resources: Sequence[str],
    changes: Sequence[SchemaChange],
) -> Outcome:
    """Raises: ServiceError when nothing at all could be read."""
    readers = {found.resource: run.readers[found.resource] for found in certificates}
    tallies = {name: reader.tally for name, reader in readers.items()}
    failures = {name: why for name, reader in readers.items() if (why := reader.doubts.failure)}
    if failures and len(failures) == len(readers) and not any(c.ids_seen for c in certificates):
        first, *others = failures
        too = f"; neither could {', '.join(others)} be read" if others else ""
        raise ServiceError(f"{failures[first]}{too}")
    return Outcome(
        run.run_id,
        tuple(certificates),
        misfits={place: n for tally in tallies.values() for place, n in tally.misfits.items()},
        found=tuple(column for tally in tallies.values() for column in tally.found),
        failures=failures,
        not_due=tuple(name for name in resources if name not in run.readers),
        changes=tuple(changes),
        traffic={name: tally.traffic for name, tally in tallies.items()},
        local_times=_untold(run),
    )


def _untold(run: Run) -> tuple[str, ...]:
    """Columns of which this run is the first to see a time without an offset."""
    profile, told = run.profile, run.known.local_times if run.known else frozenset[str]()
    return () if "time_zone" in profile.pinned else tuple(sorted(profile.local_times - told))
