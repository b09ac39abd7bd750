"""Rereading: some records of a resource as they are now, without a certificate."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import pyarrow as pa

from wholesale.api import RESOURCE, Resource, ServiceProfile, typed_id
from wholesale.configuration import read_policy
from wholesale.errors import ConfigurationError, WholesaleError, legible, listed
from wholesale.privacy import Masking
from wholesale.settings import ApiSettings
from wholesale.sync import Doubts, Merge, Reader, Run, Tally, read_again, updated_since
from wholesale.tables import Ids, concat, pack
from wholesale_elt.load.pipeline import chosen_resources
from wholesale_elt.load.writer import Writer
from wholesale_elt.runs import Identity, find_order, read_erased, read_profile
from wholesale_elt.warehouse import Raw, Warehouse

ORDERS = "orders"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The records of `resource` to read again: by id, stored or not. Of orders also by number or PO
    number of a stored one, and those updated since a moment (UTC)."""

    ids: Sequence[str] = ()
    numbers: Sequence[str] = ()
    since: datetime | None = None
    resource: str = ORDERS

    def __bool__(self) -> bool:
        return bool(self.ids or self.numbers or self.since)


@dataclass(frozen=True, slots=True)
class Reread:
    """What was read again. `not_found` are the ids that the service answers with 404, which marks
    no record as deleted: a sync does, after it has looked closer. `is_list_read`: their list told
    which records these are; `mismatch` of the doubts says why they may not be all."""

    tally: Tally
    doubts: Doubts
    not_found: Sequence[str]
    is_list_read: bool = False


def reread_records(settings: ApiSettings, warehouse: Warehouse, wanted: Wanted) -> Reread:
    """Bring these records up to date. None is marked as deleted, and the certificates stay as they
    are. Since a moment means: the list is read as far as it takes to know which these are, in
    short, and of all others nothing.

    Raises: as `sync_resources`; WholesaleError where there was no sync before, a record cannot be
    named so, or records cannot be read in this way.
    """
    (name,) = chosen_resources([wanted.resource])
    resource = RESOURCE[name]
    _require_kind(resource, wanted)
    identity = Identity(settings, warehouse)
    run = Run(settings, goes_on=True, identify=identity.see)
    policy = read_policy()
    warehouse.require()
    with warehouse.hold(), Writer(warehouse, run.run_id) as writer, run.service.client:
        identity.expect(writer.raw)
        run.masking = Masking(policy, read_erased(writer.raw))
        run.known = _require_profile(writer.raw, warehouse)
        ids = _ids_of(writer.raw, wanted)

        def read(reader: Reader, merge: Merge) -> Reread:
            _require_way(run.profile, resource)
            _require_parents(reader, ids)
            recent = [updated_since(reader, wanted.since)] if wanted.since else []
            not_found = read_again(reader, merge, concat([ids, *recent]))
            return Reread(
                reader.tally, reader.doubts, tuple(not_found.texts()), wanted.since is not None
            )

        return writer.read_again(run, resource, read)


def _require_kind(resource: Resource, wanted: Wanted) -> None:
    """Raises: ConfigurationError where the service has no such request."""
    sync = f"run `wholesale sync {resource.name}`"
    if resource.get_endpoint is None:
        raise ConfigurationError(f"{resource.name} cannot be asked for by id (§4.12): {sync}")
    if resource.name != ORDERS and (wanted.numbers or wanted.since):
        raise ConfigurationError(
            f"--number and --updated-since go with orders alone: name {resource.name} by --id, or"
            f" {sync}"
        )


def _ids_of(raw: Raw, wanted: Wanted) -> Ids:
    if wanted.resource != ORDERS:
        return pack(pa.array(map(typed_id, wanted.ids), pa.string()))
    ids = [find_order(raw, text) or typed_id(text) for text in wanted.ids]
    for number in wanted.numbers:
        found = find_order(raw, number)
        if found is None:
            raise WholesaleError(
                f"no stored order has the number {legible(number)}: the service is asked by id"
                " (§4.3), so name it by --id, or read what is new by --updated-since"
            )
        ids.append(found)
    return pack(pa.array(ids, pa.string()))


def _require_profile(raw: Raw, warehouse: Warehouse) -> ServiceProfile:
    known = read_profile(raw)
    if known is None:
        raise WholesaleError(
            f"{warehouse.name} has had no sync, which finds out how this service sends its records:"
            " run `wholesale sync` first"
        )
    return known


def _require_way(profile: ServiceProfile, resource: Resource) -> None:
    """Raises: WholesaleError where what is asked for would be read in part."""
    if resource.summary and profile.list_only_fields:
        names = ", ".join(sorted(profile.list_only_fields))
        raise WholesaleError(
            f"this service shows {names} in its order list alone, which an order by itself would"
            " lose: run `wholesale sync orders`"
        )


def _require_parents(reader: Reader, ids: Ids) -> None:
    """Raises: WholesaleError for records of which no parent is stored, which their path names."""
    parent = reader.resource.parent
    unknown = list(ids.take(~reader.stored.has(ids.keys)).texts()) if parent else []
    if parent and unknown:
        raise WholesaleError(
            f"{listed(unknown)} not stored: {reader.resource.name} are asked for below their"
            f" {parent.resource} (§4.12), so run `wholesale sync {reader.resource.name}`"
        )
