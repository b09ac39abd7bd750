"""Lists of records, in the shape and order set by the dials (§2.3)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from wholesale_sandbox.faults import PaginationFault, RowsFault, WindowFault, apply_faults
from wholesale_sandbox.responses import (
    OrderForm,
    Response,
    Window,
    list_shapes,
    page_asked,
    unprocessable,
    window_of,
)
from wholesale_sandbox.routes.call import Call
from wholesale_sandbox.routes.sending import sent
from wholesale_sandbox.storage import Collection, ListOrder


def listed(
    call: Call,
    resource: str,
    *,
    parent_id: str | None = None,
    form: OrderForm | None = None,
) -> Response:
    """Raises: Refused (422) for a page or limit against the rules."""
    shape = call.dials.shape_of(resource)
    if shape == "unpaged" and not call.query.keys().isdisjoint(("page", "limit")):
        raise unprocessable("this list takes neither page nor limit")
    with call.storage.transaction():
        window, found = _read(call, resource, parent_id, is_whole=shape in ("whole", "unpaged"))
    whole = [sent(call, resource, record, form, is_listed=True) for record in found]
    rows = apply_faults(RowsFault, [row for row in whole if row is not None], call.faults)
    records = list_shapes.entries(rows, resource, call.dials.entries_of(resource))
    place = call.dials.pagination_place_of(resource)
    if place == "nowhere" or shape in ("whole", "unpaged"):
        return Response(200, list_shapes.body(records, resource, shape, None))
    pagination = apply_faults(PaginationFault, window.pagination(), call.faults)
    for name in call.dials.envelope_without:
        pagination.pop(name, None)
    if place == "headers":
        told = list_shapes.headers(pagination)
        return Response(200, list_shapes.body(records, resource, shape, None), headers=told)
    return Response(200, list_shapes.body(records, resource, shape, pagination))


def _read(
    call: Call, resource: str, parent_id: str | None, *, is_whole: bool
) -> tuple[Window, list[bytes]]:
    """The window of the list that is asked for, or shown by a fault, and its records."""
    dials, collection = call.dials, call.storage.collection(resource)
    page = page_asked(
        call.query,
        default_limit=dials.default_limit,
        cap=dials.limit_cap,
        first=dials.first_page,
        above_cap=dials.limit_above_cap,
    )
    total = collection.count(parent_id)
    asked = window_of(page, total)
    if parent_id is None:
        asked = replace(asked, total_before=_total_before(call, collection))
    else:
        asked = replace(asked, total_of_all=collection.count())
    window = apply_faults(WindowFault, asked, call.faults)
    if window.is_of_another and parent_id is not None:
        parent_id = collection.parent_beside(parent_id)
        window = window_of(page, collection.count(parent_id))
    if is_whole:
        window = replace(window, offset=0, count=total, places=None)
    return window, _found(collection, window, parent_id, dials.order_of(resource))


def _found(
    collection: Collection, window: Window, parent_id: str | None, order: ListOrder
) -> list[bytes]:
    if window.places is None:
        return collection.page(window.offset, window.count, parent_id=parent_id, order=order)
    return [
        record
        for place in window.places[: window.count]
        for record in collection.page(place, 1, parent_id=parent_id, order=order)
    ]


def _total_before(call: Call, collection: Collection) -> Callable[[float], int]:
    def total(seconds: float) -> int:
        then = collection.before(call.now - timedelta(seconds=seconds))
        went = sum(body is not None for body in then.values())
        came = sum(collection.get(record_id) is not None for record_id in then)
        return collection.count() + went - came

    return total
