"""Ends of lists: pages past the last one, and pages beyond what the service looks through."""

from collections.abc import Callable
from dataclasses import replace

from wholesale_sandbox.faults.fault import Case, WindowFault
from wholesale_sandbox.faults.lists.windows import page_of
from wholesale_sandbox.responses import Refused, Window, error

LOOKED_THROUGH = 500
"""Records of a list that pages reach, unless a rule names another number."""


def _is_past_end(window: Window) -> bool:
    return window.page.number >= window.pages + window.page.first > window.page.first


def _past_end_last(window: Window, case: Case) -> Window:
    last = window.pages + window.page.first - 1
    return page_of(window, last) if _is_past_end(window) else window


def _past_end_first(window: Window, case: Case) -> Window:
    return page_of(window, window.page.first) if _is_past_end(window) else window


def _past_end_refused(status: int) -> Callable[[Window, Case], Window]:
    def change(window: Window, case: Case) -> Window:
        if _is_past_end(window):
            raise Refused(error(status))
        return window

    return change


def _is_beyond(window: Window, case: Case) -> bool:
    return window.offset + window.count > (case.number or LOOKED_THROUGH)


def _beyond_refused(status: int) -> Callable[[Window, Case], Window]:
    def change(window: Window, case: Case) -> Window:
        if _is_beyond(window, case):
            raise Refused(error(status))
        return window

    return change


def _beyond_empty(window: Window, case: Case) -> Window:
    return replace(window, count=0) if _is_beyond(window, case) else window


END_FAULTS: tuple[WindowFault, ...] = (
    WindowFault("past-end-last", "the last page again, past the end", _past_end_last),
    WindowFault("past-end-first", "the first page again, past the end", _past_end_first),
    WindowFault("past-end-404", "404 past the last page", _past_end_refused(404)),
    WindowFault("past-end-422", "422 past the last page", _past_end_refused(422)),
    WindowFault(
        "beyond-404",
        f"404 for pages that reach beyond record `number` ({LOOKED_THROUGH})",
        _beyond_refused(404),
    ),
    WindowFault("beyond-422", "422 for them", _beyond_refused(422)),
    WindowFault("beyond-empty", "200 for them, with an empty page", _beyond_empty),
)
