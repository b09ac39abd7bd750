"""Check: looks at the first page of every list, and at what runs learned of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wholesale.api import ENDPOINT, RESOURCES, Resource
from wholesale.errors import ContentError, NotFound, ServiceError, Unauthorized
from wholesale.http import Traffic
from wholesale.json import Json, Page, RawPage, parse
from wholesale.pages import Fetcher, Profile, Service
from wholesale.settings import ApiSettings
from wholesale.tables import Unreadable, decode, read_timestamp, shape_of
from wholesale_elt.runs import read_profiles
from wholesale_elt.warehouse import Warehouse

WIDE_LIMIT = 1000
"""Asked for to see where the service caps `limit` (§8 shows no maximum)."""
ORDER_FIELDS = ("created_at", "updated_at")


@dataclass(frozen=True, slots=True)
class ListCheck:
    """What one list looks like. `cap` is the largest page served, or the largest found that is not
    refused; None if it cannot be seen.

    `answer` is the status, or why there was no usable answer (`is_fault`). `order` names the field
    that the first page is sorted by, or None. `unknown` are fields that the API description does
    not show, `missing` those that it shows and no record of the first page has, `misfits` those
    with a value of another type than it shows.
    """

    resource: str
    path: str
    answer: str
    is_fault: bool = False
    shape: str | None = None
    total: int | None = None
    cap: int | None = None
    order: str | None = None
    unknown: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    misfits: tuple[str, ...] = ()


def check_service(settings: ApiSettings) -> Iterator[ListCheck]:
    """Check the list of each resource.

    Raises: Unauthorized if the key is refused, Unavailable if the service does not answer at all.
    """
    parents: dict[str, str] = {}
    service = Service.at(settings.model_copy(update={"page_size": WIDE_LIMIT}))
    with service.client as client:
        client.get("/", {}, read=bytes, traffic=Traffic())
        for resource in sorted(RESOURCES, key=lambda row: row.parent is not None):
            yield _look(service, resource, parents)


def read_learned(warehouse: Warehouse) -> Mapping[str, Profile]:
    """What runs into this warehouse have learned of each list, by resource."""
    if not warehouse.may_exist:
        return {}
    with warehouse.open(is_read_only=True) as raw:
        return read_profiles(raw)


def _look(service: Service, resource: Resource, parents: dict[str, str]) -> ListCheck:
    endpoint, parent = ENDPOINT[resource.list_endpoint], None
    if resource.parent:
        parent = parents.get(resource.parent.resource)
        if parent is None:
            missing = f"not asked: no {resource.parent.resource} there"
            return ListCheck(resource.name, endpoint.path, missing)
    path = endpoint.path_of(*([parent] if parent else []))
    try:
        with Fetcher(service, resource, Traffic()) as fetcher:
            page = fetcher.first_page(parent)
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
    return ListCheck(
        resource.name,
        path,
        "200",
        shape="envelope" if page.has_envelope else "bare",
        total=page.total_count,
        cap=_cap(page, len(records), service.paging.limit),
        order=_order(records),
        unknown=_unknown(resource, records),
        missing=_missing(resource, records),
        misfits=_misfits(resource, page),
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


def _cap(page: Page, records: int, limit: int) -> int | None:
    """`limit` is what was asked for, as far as the service accepts it."""
    if page.limit is not None and page.limit < limit:
        return page.limit
    if page.total_count is not None and records < min(page.total_count, limit):
        return records
    return limit if limit < WIDE_LIMIT else None


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


def _misfits(resource: Resource, page: Page) -> tuple[str, ...]:
    decoded = decode([RawPage(page.records)], shape_of(resource))
    return tuple(sorted({f"{misfit.table}.{misfit.field}" for misfit in decoded.misfits}))
