"""Faults of lists: pages that overlap, fall short or repeat, and numbers that lie about them."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import accumulate

import msgspec

from wholesale_sandbox.answers import Pagination, Window, window_of
from wholesale_sandbox.business import Record
from wholesale_sandbox.faults.fault import (
    Case,
    Fault,
    PaginationFault,
    RowsFault,
    WindowFault,
)

_record = msgspec.json.Decoder(Record)


def _page(window: Window, number: int) -> Window:
    return window_of(replace(window.page, number=number), window.total)


def _first_always(window: Window, case: Case) -> Window:
    return _page(window, window.page.first)


def _is_past_end(window: Window) -> bool:
    return window.page.number >= window.pages + window.page.first > window.page.first


def _past_end_last(window: Window, case: Case) -> Window:
    last = window.pages + window.page.first - 1
    return _page(window, last) if _is_past_end(window) else window


def _past_end_first(window: Window, case: Case) -> Window:
    return _page(window, window.page.first) if _is_past_end(window) else window


def uneven(window: Window, divisors: tuple[int, ...]) -> Window:
    """Pages that hold limit // divisor records (0: none), the divisors over and over again.

    Every record stands on one page, and `total_pages` is right.
    """
    limit, page = window.page.limit, window.page
    sizes = [limit // divisor if divisor else 0 for divisor in divisors]
    starts = list(accumulate(sizes, initial=0))
    cycle = starts.pop()
    rounds, place = divmod(page.number - page.first, len(sizes))
    whole_rounds, rest = divmod(window.total, cycle)
    pages = whole_rounds * len(sizes) + sum(start < rest for start in starts)
    return replace(window, pages=pages, offset=rounds * cycle + starts[place], count=sizes[place])


def _with(name: str, value: object) -> Callable[[Pagination, Case], Pagination]:
    return lambda pagination, case: {**pagination, name: value}


def _without(name: str) -> Callable[[Pagination, Case], Pagination]:
    return lambda pagination, case: {key: value for key, value in pagination.items() if key != name}


def _next_same(pagination: Pagination, case: Case) -> Pagination:
    return {**pagination, "next": pagination["current"]}


def _total_drifts(pagination: Pagination, case: Case) -> Pagination:
    total = max(pagination["total_count"] + case.chance.choice((-2, -1, 1, 2)), 0)
    return {**pagination, "total_count": total}


def _as_text(pagination: Pagination, case: Case) -> Pagination:
    return {name: value if value is None else str(value) for name, value in pagination.items()}


def _twice(rows: list[bytes], case: Case) -> list[bytes]:
    if not rows:
        return rows
    place = case.chance.randrange(len(rows))
    return [*rows[:place], rows[place], *rows[place:]]


def _older_beside(rows: list[bytes], case: Case) -> list[bytes]:
    """One record comes again as it was an hour before, ahead of itself or behind."""
    if not rows:
        return rows
    place = case.chance.randrange(len(rows))
    pair = [_older(rows[place]), rows[place]]
    case.chance.shuffle(pair)
    return [*rows[:place], *pair, *rows[place + 1 :]]


def _older(row: bytes) -> bytes:
    record = _record.decode(row)
    for name in ("total", "order_number", "title", "name", "company_name"):
        if name in record:
            record[name] = msgspec.Raw(b'"older"' if name != "total" else b'"0.01"')
            break
    if "updated_at" in record:
        moment = msgspec.json.decode(record["updated_at"], type=datetime)
        former = moment.astimezone(UTC) - timedelta(hours=1)
        record["updated_at"] = msgspec.Raw(msgspec.json.encode(former))
    return msgspec.json.encode(record)


PAGE_FAULTS: tuple[
    Fault[Window] | Fault[Pagination] | Fault[list[bytes]],
    ...,
] = (
    WindowFault("page-one-always", "page one, whatever page is asked for", _first_always),
    WindowFault("past-end-last", "the last page again, past the end", _past_end_last),
    WindowFault("past-end-first", "the first page again, past the end", _past_end_first),
    WindowFault(
        "short-pages",
        "every third page holds half of the limit, in the middle too",
        lambda window, case: uneven(window, (1, 2, 1)),
    ),
    WindowFault(
        "empty-pages",
        "every third page is empty, in the middle too",
        lambda window, case: uneven(window, (1, 0, 1)),
    ),
    PaginationFault("next-null", "`next` null on every page", _with("next", None)),
    PaginationFault("next-missing", "no `next`", _without("next")),
    PaginationFault("next-zero", "`next` 0 on every page", _with("next", 0)),
    PaginationFault("next-same", "`next` the current page", _next_same),
    PaginationFault("total-missing", "no `total_count`", _without("total_count")),
    PaginationFault("total-null", "`total_count` null", _with("total_count", None)),
    PaginationFault("total-zero", "`total_count` 0", _with("total_count", 0)),
    PaginationFault("total-drifts", "`total_count` wrong by 1 or 2", _total_drifts),
    PaginationFault("pages-missing", "no `total_pages`", _without("total_pages")),
    PaginationFault("pages-null", "`total_pages` null", _with("total_pages", None)),
    PaginationFault("pages-zero", "`total_pages` 0", _with("total_pages", 0)),
    PaginationFault("numbers-as-text", 'numbers as texts: `"3"`', _as_text),
    RowsFault("row-twice", "one record of the page twice", _twice),
    RowsFault(
        "older-beside",
        "one record twice: as it is, and an older version with an older `updated_at`",
        _older_beside,
    ),
)
