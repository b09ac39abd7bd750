"""Lists of records, in the shape and order dialled in (§2.3)."""

from collections.abc import Callable

from wholesale_sandbox.answers import Answer, list_shapes, page_asked, window_of
from wholesale_sandbox.faults import PaginationFault, RowsFault, WindowFault, apply_faults
from wholesale_sandbox.routes.call import Call


def listed(
    call: Call,
    resource: str,
    *,
    parent_id: str | None = None,
    form: Callable[[bytes], bytes] = lambda record: record,
) -> Answer:
    """Raises: Refused (422) for a page or limit against the rules."""
    dials, collection = call.dials, call.storage.collection(resource)
    page = page_asked(
        call.query,
        default_limit=dials.default_limit,
        cap=dials.limit_cap,
        first=dials.first_page,
        is_cap_strict=dials.limit_above_cap == "refused",
    )
    shape, order = dials.shape_of(resource), dials.order_of(resource)
    with call.storage.transaction():
        total = collection.count(parent_id)
        window = apply_faults(WindowFault, window_of(page, total), call.faults)
        offset, count = (0, total) if shape == "whole" else (window.offset, window.count)
        found = collection.page(offset, count, parent_id=parent_id, order=order)
    rows = apply_faults(RowsFault, [form(record) for record in found], call.faults)
    records = list_shapes.entries(rows, resource, dials.entries_of(resource))
    place = dials.pagination_place_of(resource)
    if place == "nowhere" or shape == "whole":
        return Answer(200, list_shapes.body(records, resource, shape, None))
    pagination = apply_faults(PaginationFault, window.pagination(), call.faults)
    for name in dials.envelope_without:
        pagination.pop(name, None)
    if place == "headers":
        told = list_shapes.headers(pagination)
        return Answer(200, list_shapes.body(records, resource, shape, None), headers=told)
    return Answer(200, list_shapes.body(records, resource, shape, pagination))
