"""Pagination: numbers that are missing, or that lie about the list."""

from collections.abc import Callable
from dataclasses import replace

from wholesale_sandbox.faults.fault import Case, PaginationFault, WindowFault
from wholesale_sandbox.responses import Pagination, Window, pages_of

COUNTED = 500
"""The highest total of a service that counts no further, unless a rule names another number."""

OFF = 3


def _total_lags(window: Window, case: Case) -> Window:
    if window.total_before is None:
        return window
    total = window.total_before(case.seconds)
    return replace(window, total=total, pages=pages_of(total, window.page.limit))


def _total_of_all(window: Window, case: Case) -> Window:
    total = window.total_of_all
    if total is None:
        return window
    return replace(window, total=total, pages=pages_of(total, window.page.limit))


def _totals(total_of: Callable[[int, Case], int]) -> Callable[[Pagination, Case], Pagination]:
    """Another count, and the pages that follow from it; `next` stays as it is."""

    def change(pagination: Pagination, case: Case) -> Pagination:
        count, limit = pagination.get("total_count"), pagination["limit"]
        if not (isinstance(count, int) and isinstance(limit, int)):
            return pagination
        total = max(total_of(count, case), 0)
        return {**pagination, "total_count": total, "total_pages": pages_of(total, limit)}

    return change


def _with(name: str, value: object) -> Callable[[Pagination, Case], Pagination]:
    return lambda pagination, case: {**pagination, name: value}


def _without(name: str) -> Callable[[Pagination, Case], Pagination]:
    return lambda pagination, case: {key: value for key, value in pagination.items() if key != name}


def _next_same(pagination: Pagination, case: Case) -> Pagination:
    return {**pagination, "next": pagination["current"]}


def _next_always(pagination: Pagination, case: Case) -> Pagination:
    current = pagination["current"]
    return {**pagination, "next": current + 1} if isinstance(current, int) else pagination


def _total_drifts(pagination: Pagination, case: Case) -> Pagination:
    count = pagination.get("total_count")
    if not isinstance(count, int):
        return pagination
    return {**pagination, "total_count": max(count + case.chance.choice((-2, -1, 1, 2)), 0)}


def _as_text(pagination: Pagination, case: Case) -> Pagination:
    return {name: value if value is None else str(value) for name, value in pagination.items()}


PAGINATION_FAULTS: tuple[WindowFault | PaginationFault, ...] = (
    WindowFault("total-lags", "totals as they were `seconds` ago", _total_lags),
    WindowFault(
        "total-of-all",
        "totals of a list of children count those of all parents",
        _total_of_all,
    ),
    PaginationFault(
        "totals-capped",
        f"totals never above `number` ({COUNTED}), though `next` goes on",
        _totals(lambda total, case: min(total, case.number or COUNTED)),
    ),
    PaginationFault(
        "totals-above",
        f"totals too large by `number` ({OFF})",
        _totals(lambda total, case: total + (case.number or OFF)),
    ),
    PaginationFault(
        "totals-below",
        f"totals too small by `number` ({OFF})",
        _totals(lambda total, case: total - (case.number or OFF)),
    ),
    PaginationFault("next-null", "`next` null on every page", _with("next", None)),
    PaginationFault("next-missing", "no `next`", _without("next")),
    PaginationFault("next-zero", "`next` 0 on every page", _with("next", 0)),
    PaginationFault("next-same", "`next` the current page", _next_same),
    PaginationFault("next-always", "a `next` on the last page too", _next_always),
    PaginationFault("total-missing", "no `total_count`", _without("total_count")),
    PaginationFault("total-null", "`total_count` null", _with("total_count", None)),
    PaginationFault("total-zero", "`total_count` 0", _with("total_count", 0)),
    PaginationFault("total-drifts", "`total_count` wrong by 1 or 2", _total_drifts),
    PaginationFault("pages-missing", "no `total_pages`", _without("total_pages")),
    PaginationFault("pages-null", "`total_pages` null", _with("total_pages", None)),
    PaginationFault("pages-zero", "`total_pages` 0", _with("total_pages", 0)),
    PaginationFault("numbers-as-text", 'numbers as texts: `"3"`', _as_text),
)
