"""Check: looks at a service and the first page of every list, and tells what deviates."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wholesale.api import ENDPOINT, RESOURCES, Resource, ServiceProfile
from wholesale.discover import discover_list, discover_service
from wholesale.errors import ContentError, NotFound, ServiceError, Unauthorized
from wholesale.http import Traffic
from wholesale.json import Json, RawPage, parse
from wholesale.pages import ListReader, Service
from wholesale.settings import ApiSettings
from wholesale.tables import Unreadable, decode, read_timestamp, shape_of

ORDER_FIELDS = ("created_at", "updated_at")


@dataclass(frozen=True, slots=True)
class ListCheck:
    """What one list looks like.

    `answer` is the status, or why there was no usable response (`is_fault`). `order` names the
    field that the first page is sorted by, or None. `unknown` are fields that the API description
    does not show, `missing` those that it shows and no record of the first page has, `misfits`
    those with a value of another type than it shows, `local_times` those with times without an
    offset, unless a setting says in which zone they are.
    """

    resource: str
    path: str
    answer: str
    is_fault: bool = False
    shape: str | None = None
    total: int | None = None
    order: str | None = None
    unknown: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    misfits: tuple[str, ...] = ()
    local_times: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ServiceCheck:
    """A service as it looks now: each of its lists, and its profile, discovered anew."""

    lists: tuple[ListCheck, ...]
    profile: ServiceProfile
    requests: int


def check_service(settings: ApiSettings) -> ServiceCheck:
    """Look at the service, and at the list of each resource; nothing is written.

    Raises: Unauthorized if the key is refused, Unavailable if the service does not answer at all.
    """
    service, traffic = Service.at(settings), Traffic()
    with service.client as client:
        client.get("/", {}, read=bytes, traffic=traffic)
        discover_service(service, traffic)
        resources = sorted(RESOURCES, key=lambda row: row.parent is not None)
        lists = tuple(_check_lists(service, resources, traffic))
    return ServiceCheck(lists, service.profile, traffic.requests)


def _check_lists(
    service: Service, resources: Sequence[Resource], traffic: Traffic
) -> Iterator[ListCheck]:
    parents: dict[str, str] = {}
    for resource in resources:
        try:
            discover_list(service, resource, shape_of(resource), traffic)
        except Unauthorized:
            raise
        except ServiceError:
            pass  # the look at the list tells why
        yield _look(service, resource, parents, traffic)


def _look(
    service: Service, resource: Resource, parents: dict[str, str], traffic: Traffic
) -> ListCheck:
    endpoint, parent = ENDPOINT[resource.list_endpoint], None
    if resource.parent:
        parent = parents.get(resource.parent.resource)
        if parent is None:
            missing = f"not asked: no {resource.parent.resource} there"
            return ListCheck(resource.name, endpoint.path, missing)
    path = endpoint.path_of(*([parent] if parent else []))
    try:
        reader = ListReader(service, resource, traffic, resource.query, parent)
        page = reader.page(0, service.page_size(resource))
    except Unauthorized:
        raise
    except ServiceError as error:
        answer = "404" if isinstance(error, NotFound) else str(error)
        return ListCheck(resource.name, path, answer, is_fault=True)
    try:
        records = [record for record in parse(page.records) if isinstance(record, dict)]
    except ContentError as error:
        return ListCheck(resource.name, path, str(error), is_fault=True)
    if records and isinstance(records[0].get("id"), str):
        parents[resource.name] = _with_children(resource, records)
    decoded = decode([RawPage(page.records)], shape_of(resource))
    is_pinned = "time_zone" in service.profile.pinned
    return ListCheck(
        resource.name,
        path,
        "200",
        shape="envelope" if page.has_envelope else "bare",
        total=page.total_count,
        order=_order(records),
        unknown=_unknown(resource, records),
        missing=_missing(resource, records),
        misfits=tuple(sorted({f"{misfit.table}.{misfit.field}" for misfit in decoded.misfits})),
        local_times=() if is_pinned else tuple(sorted(decoded.local_times)),
    )


def _with_children(resource: Resource, records: Sequence[Mapping[str, Json]]) -> str:
    """The id of a record that has children by its own count, or of the first record."""
    counts = {
        child.parent.count_column
        for child in RESOURCES
        if child.parent and child.parent.resource == resource.name and child.parent.count_column
    }
    for record in records:
        if any(record.get(count) not in (None, "0", 0) for count in counts):
            return str(record["id"])
    return str(records[0]["id"])


def _order(records: Sequence[Mapping[str, Json]]) -> str | None:
    for name in ORDER_FIELDS:
        times: list[Any] = []
        try:
            times = [read_timestamp(record.get(name)) for record in records]
        except Unreadable:
            continue
        if len(set(times)) < 2:
            continue
        if times == sorted(times):
            return f"{name} ascending"
        if times == sorted(times, reverse=True):
            return f"{name} descending"
    return None


def _unknown(resource: Resource, records: Sequence[Mapping[str, Json]]) -> tuple[str, ...]:
    shape = shape_of(resource)
    names = {name for record in records for name in record}
    return tuple(sorted(names - set(shape.mapping_of) - set(shape.child_of)))


def _missing(resource: Resource, records: Sequence[Mapping[str, Json]]) -> tuple[str, ...]:
    """Fields that the description shows in records of this resource (§2) and none has; none if
    there is no record."""
    documented = {
        mapping.field
        for mapping in shape_of(resource).mappings
        if mapping.section == resource.section and mapping.field not in resource.summary_only
    }
    names = {name for record in records for name in record}
    return tuple(sorted(documented - names)) if records else ()
