"""A list of records in the shape and order dialled in (§2.3)."""

from collections.abc import Callable

from wholesale_sandbox.answers import Answer, list_shapes, page_asked, window_of
from wholesale_sandbox.faults import PaginationFault, RowsFault, WindowFault, befall
from wholesale_sandbox.routes.call import Call


def listed(
    call: Call,
    kind: str,
    *,
    parent_id: str | None = None,
    form: Callable[[bytes], bytes] = lambda record: record,
) -> Answer:
    """Raises: Refused (422) for a page or limit against the rules."""
    dials, shelf = call.dials, call.storage.shelf(kind)
    page = page_asked(
        call.query,
        default_limit=dials.default_limit,
        cap=dials.limit_cap,
        first=dials.first_page,
        is_cap_strict=dials.limit_above_cap == "refused",
    )
    shape, order = dials.shape_of(kind), dials.order_of(kind)
    with call.storage.transaction():
        total = shelf.count(parent_id)
        window = befall(WindowFault, window_of(page, total), call.fallen)
        offset, count = (0, total) if shape == "whole" else (window.offset, window.count)
        found = shelf.page(offset, count, parent_id=parent_id, order=order)
    rows = befall(RowsFault, [form(record) for record in found], call.fallen)
    records = list_shapes.entries(rows, kind, dials.entries_of(kind))
    place = dials.pagination_place_of(kind)
    if place == "nowhere" or shape == "whole":
        return Answer(200, list_shapes.body(records, kind, shape, None))
    pagination = befall(PaginationFault, window.pagination(), call.fallen)
    for name in dials.envelope_without:
        pagination.pop(name, None)
    if place == "headers":
        told = list_shapes.headers(pagination)
        return Answer(200, list_shapes.body(records, kind, shape, None), headers=told)
    return Answer(200, list_shapes.body(records, kind, shape, pagination))
