"""Answers: status, headers, body, the shape of lists, and delivery.

In:  records as JSON.
Out: `Answer`s.
Knows nothing of which records exist, or of who asked.
Begin with `answer`.
"""

from wholesale_sandbox.answers import list_shapes
from wholesale_sandbox.answers.answer import Answer, Refused, error, not_found, unprocessable
from wholesale_sandbox.answers.delivery import (
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
from wholesale_sandbox.answers.list_shapes import Entries, ListShape, PaginationPlace
from wholesale_sandbox.answers.order_forms import OrderForm, order_form
from wholesale_sandbox.answers.paging import (
    Pagination,
    Window,
    page_asked,
    pages_of,
    window_of,
)

__all__ = [
    "NOTHING_SAID",
    "Answer",
    "ClientConnection",
    "Deliver",
    "Entries",
    "Headers",
    "ListShape",
    "OrderForm",
    "Pagination",
    "PaginationPlace",
    "Refused",
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
