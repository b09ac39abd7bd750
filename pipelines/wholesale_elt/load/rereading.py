"""Rereading: some orders as they are now, without a scan of their list or a certificate."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import pyarrow as pa

from wholesale.api import RESOURCE, ServiceProfile, set_to, typed_id
from wholesale.configuration import read_policy
from wholesale.errors import WholesaleError, legible
from wholesale.privacy import Masking
from wholesale.settings import ApiSettings
from wholesale.sync import Doubts, Merge, Reader, Run, Tally, read_again, updated_since
from wholesale.tables import Ids, concat, pack
from wholesale_elt.load.identity import Identity
from wholesale_elt.load.writer import Writer
from wholesale_elt.runs import find_order, read_erased, read_profile
from wholesale_elt.warehouse import Raw, Warehouse

ORDERS = RESOURCE["orders"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """The orders to read again: by id, stored or not; by number or PO number of a stored one; those
    updated since a moment (UTC)."""

    ids: Sequence[str] = ()
    numbers: Sequence[str] = ()
    since: datetime | None = None

    def __bool__(self) -> bool:
        return bool(self.ids or self.numbers or self.since)


@dataclass(frozen=True, slots=True)
class Reread:
    """What was read again. `not_found` are the ids that the service answers with 404, which marks
    no order as deleted: a sync does, after it has looked closer."""

    tally: Tally
    doubts: Doubts
    not_found: Sequence[str]


def reread_orders(settings: ApiSettings, warehouse: Warehouse, wanted: Wanted) -> Reread:
    """Bring these orders up to date. No list is scanned for others, none is marked as deleted, and
    the certificates stay as they are.

    Raises: as `sync_resources`; WholesaleError where there was no sync before, an order cannot be
    named so, or orders cannot be read in this way.
    """
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
            _require_way(run.profile, wanted)
            recent = [updated_since(reader, wanted.since)] if wanted.since else []
            not_found = read_again(reader, merge, concat([ids, *recent]))
            return Reread(reader.tally, reader.doubts, tuple(not_found.texts()))

        return writer.read_again(run, ORDERS, read)


def _ids_of(raw: Raw, wanted: Wanted) -> Ids:
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
            f"{warehouse.name} has had no sync, which finds out how this service sends its orders:"
            " run `wholesale sync` first"
        )
    return known


def _require_way(profile: ServiceProfile, wanted: Wanted) -> None:
    """Raises: WholesaleError where what is asked for would be read in part."""
    if wanted.since and not profile.newest_change_first:
        raise WholesaleError(
            "the order list of this service is not known to begin with the newest change,"
            " so that only all of it tells what was updated since: run `wholesale sync orders`, or"
            f" {set_to('newest_change_first', True)} if an edit moves an order to its head"
        )
    if profile.list_only_fields and not wanted.since:
        names = ", ".join(sorted(profile.list_only_fields))
        raise WholesaleError(
            f"this service shows {names} in its order list alone, which an order by itself would"
            " lose: run `wholesale sync orders`"
        )
