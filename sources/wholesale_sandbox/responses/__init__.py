"""Responses: status, headers, body, the shape of lists, and delivery.

In:  records as JSON.
Out: `Response`s.
Knows nothing of which records exist, or of who asked.
Begin with `response`.
"""

from wholesale_sandbox.responses import list_shapes
from wholesale_sandbox.responses.delivery import (
    NOTHING_SAID,
    ClientConnection,
    Deliver,
    Headers,
    closed,
    cut,
    dripping,
    late,
    reset,
    reset_inside,
    silent,
    whole,
)
from wholesale_sandbox.responses.list_shapes import Entries, ListShape, PaginationPlace
from wholesale_sandbox.responses.order_forms import OrderForm, order_form
from wholesale_sandbox.responses.paging import (
    Pagination,
    Window,
    page_asked,
    pages_of,
    window_of,
)
from wholesale_sandbox.responses.response import Refused, Response, error, not_found, unprocessable

__all__ = [
    "NOTHING_SAID",
    "ClientConnection",
    "Deliver",
    "Entries",
    "Headers",
    "ListShape",
    "OrderForm",
    "Pagination",
    "PaginationPlace",
    "Refused",
    "Response",
    "Window",
    "closed",
    "cut",
    "dripping",
    "error",
    "late",
    "list_shapes",
    "not_found",
    "order_form",
    "page_asked",
    "pages_of",
    "reset",
    "reset_inside",
    "silent",
    "unprocessable",
    "whole",
    "window_of",
]
