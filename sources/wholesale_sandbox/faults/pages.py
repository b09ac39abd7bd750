"""Faults of lists: pages that overlap, fall short or repeat, and numbers that lie about them."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from random import Random

import msgspec

from wholesale_sandbox.answers import Pagination, Refused, Window, error, pages_of, window_of
from wholesale_sandbox.business import Record
from wholesale_sandbox.faults.fault import (
    Case,
    Fault,
    PaginationFault,
    RowsFault,
    WindowFault,
)

LISTED = 500
"""Records within the window of a list that is cut off there."""

NEIGHBOURS = 8
OFF = 3

_record = msgspec.json.Decoder(Record)


def _page(window: Window, number: int) -> Window:
    page = replace(window.page, number=number)
    return replace(window, page=page, offset=page.offset, count=page.limit, places=None)


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


def _past_end_refused(status: int) -> Callable[[Window, Case], Window]:
    def change(window: Window, case: Case) -> Window:
        if _is_past_end(window):
            raise Refused(error(status))
        return window

    return change


def _is_beyond(window: Window, case: Case) -> bool:
    return window.offset + window.count > (case.number or LISTED)


def _beyond_refused(status: int) -> Callable[[Window, Case], Window]:
    def change(window: Window, case: Case) -> Window:
        if _is_beyond(window, case):
            raise Refused(error(status))
        return window

    return change


def _beyond_empty(window: Window, case: Case) -> Window:
    return replace(window, count=0) if _is_beyond(window, case) else window


def _cut_off(window: Window, case: Case) -> Window:
    total = min(window.total, case.number or LISTED)
    count = min(window.count, max(total - window.offset, 0))
    return replace(window_of(window.page, total), count=count)


def _none_listed(window: Window, case: Case) -> Window:
    return replace(window_of(window.page, 0), count=0)


def _alone(window: Window, case: Case) -> Window:
    on_page = range(window.total)[window.offset : window.offset + window.count]
    return replace(window, total=len(on_page), pages=1)


def _at_random(window: Window, case: Case) -> Window:
    """Any records of the list, none of them twice on the page."""
    standing = range(window.total)[window.offset : window.offset + window.count]
    return replace(window, places=case.chance.sample(range(window.total), len(standing)))


def _unstable(window: Window, case: Case) -> Window:
    """The list with the neighbours of each block in another order, as a sort by day leaves them."""
    size, draw = case.number or NEIGHBOURS, case.chance.getrandbits(64)

    def place(standing: int) -> int:
        block = standing // size
        neighbours = list(range(block * size, min((block + 1) * size, window.total)))
        Random(f"{draw}/{block}").shuffle(neighbours)
        return neighbours[standing % size]

    standing = range(window.total)[window.offset : window.offset + window.count]
    return replace(window, places=[place(number) for number in standing])


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


def _empty_refused(window: Window, case: Case) -> Window:
    if not window.total:
        raise Refused(error(404))
    return window


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


def _total_drifts(pagination: Pagination, case: Case) -> Pagination:
    count = pagination.get("total_count")
    if not isinstance(count, int):
        return pagination
    return {**pagination, "total_count": max(count + case.chance.choice((-2, -1, 1, 2)), 0)}


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
        with suppress(msgspec.ValidationError):
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
    WindowFault("past-end-404", "404 past the last page", _past_end_refused(404)),
    WindowFault("past-end-422", "422 past the last page", _past_end_refused(422)),
    WindowFault(
        "beyond-404",
        f"404 for pages that reach beyond record `number` ({LISTED})",
        _beyond_refused(404),
    ),
    WindowFault("beyond-422", "422 for them", _beyond_refused(422)),
    WindowFault("beyond-empty", "200 for them, with an empty page", _beyond_empty),
    WindowFault(
        "empty-page",
        "a page without records, its pagination right",
        lambda window, case: replace(window, count=0),
    ),
    WindowFault("empty-list", "a list that says it has no records", _none_listed),
    WindowFault(
        "list-cut-off",
        f"the first `number` ({LISTED}) records of a list, as if they were all",
        _cut_off,
    ),
    WindowFault(
        "list-of-another",
        "the list of another parent in the place of that of a parent",
        lambda window, case: replace(window, is_of_another=True),
    ),
    WindowFault(
        "page-as-list",
        "each page counts itself alone, and says that it is the only one",
        _alone,
    ),
    WindowFault("random-pages", "each page holds any records of the list", _at_random),
    WindowFault(
        "unstable-order",
        f"`number` ({NEIGHBOURS}) neighbours each stand in another order at each request",
        _unstable,
    ),
    WindowFault("total-lags", "totals as they were `seconds` ago", _total_lags),
    WindowFault(
        "total-of-all",
        "totals of a list of children count those of all parents",
        _total_of_all,
    ),
    WindowFault("empty-404", "404 for a list without records", _empty_refused),
    PaginationFault(
        "totals-capped",
        f"totals never above `number` ({LISTED}), though `next` goes on",
        _totals(lambda total, case: min(total, case.number or LISTED)),
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
    RowsFault(
        "rows-older",
        "the records of the page as they were an hour before, as a replica shows them that lags",
        lambda rows, case: [_older(row) for row in rows],
    ),
)
