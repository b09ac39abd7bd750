"""Estimate: what a sync would do now, without doing it."""

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from wholesale.api import RESOURCE
from wholesale.compare import NOTHING
from wholesale.configuration import read_policy
from wholesale.discover import discover_list, discover_service
from wholesale.http import Client, Traffic
from wholesale.pages import Service
from wholesale.privacy import Masking
from wholesale.settings import ApiSettings
from wholesale.tables import shape_of
from wholesale_elt.inspect.plan import Plan, minutes, plan_resource
from wholesale_elt.runs import Identity, StoredReader, read_erased, read_profile
from wholesale_elt.warehouse import RawReader, Warehouse


@dataclass(frozen=True, slots=True)
class Estimate:
    """All plans, and about how many minutes they take at the pace seen while planning."""

    plans: tuple[Plan, ...]
    minutes: float


def plan_sync(settings: ApiSettings, warehouse: Warehouse, resources: Sequence[str]) -> Estimate:
    """What a sync of these resources would ask for, estimated by a few requests; writes nothing.

    Raises: ConfigurationError if the warehouse has the data of another service.
    """
    plans: dict[str, Plan] = {}
    seconds, asked = 0.0, 0
    policy, identity = read_policy(), Identity(settings, warehouse)
    with _stored(warehouse) as raw, Client(settings, identify=identity.see) as client:
        if raw:
            identity.expect(raw)
        service = Service.of(client, read_profile(raw) if raw else None)
        discover_service(service, Traffic())
        columns = raw.columns() if raw else {}
        reader = StoredReader(raw) if raw else None
        masking = Masking(policy, read_erased(raw)) if raw else Masking(policy)
        for name in _parents_first(resources):
            resource = RESOURCE[name]
            shape = shape_of(resource, columns)
            stored = reader.read(resource, shape) if reader else NOTHING
            parents = plans[resource.parent.resource].records if resource.parent else None
            traffic, begin = Traffic(), time.monotonic()
            discover_list(service, resource, shape, traffic)
            plans[name] = plan_resource(
                service,
                resource,
                shape,
                traffic,
                stored=stored,
                parents=parents or 1,
                masking=masking,
            )
            seconds += time.monotonic() - begin
            asked += traffic.requests
    chosen = tuple(plans[name] for name in resources)
    return Estimate(chosen, minutes(chosen, seconds / max(1, asked)))


def _stored(warehouse: Warehouse) -> AbstractContextManager[RawReader | None]:
    return warehouse.open(is_read_only=True) if warehouse.may_exist else nullcontext()


def _parents_first(resources: Sequence[str]) -> list[str]:
    """These resources and the parents of their lists, parents first."""
    parents = [row.parent.resource for name in resources if (row := RESOURCE[name]).parent]
    names = {*resources, *parents}
    return sorted(names, key=lambda name: RESOURCE[name].parent is not None)
