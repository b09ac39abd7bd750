"""Paging: the requested page, its records, and the pagination in the response (§2.3)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wholesale_sandbox.contract import EMPTY_LIST_PAGES, FIRST_PAGE, PAGE_RULE, AboveCap
from wholesale_sandbox.responses.response import Refused, error, unprocessable

LARGEST = 2**31 - 1  # integer(int32), §4.2

_DIGITS = re.compile(r"[0-9]{1,10}", re.ASCII)

Pagination = dict[str, Any]
"""The fields of §2.3 by name; faults may replace their integers and nulls by other values."""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A requested page; `number` counts from `first`. `spacing` is how far apart pages begin where
    that is not their limit."""

    number: int
    limit: int
    first: int = FIRST_PAGE.value
    spacing: int | None = None

    @property
    def offset(self) -> int:
        return (self.number - self.first) * (self.spacing or self.limit)


@dataclass(frozen=True, slots=True)
class Window:
    """A page over a list of `total` records, which has `pages`: `count` records from `offset`.

    `places`: the positions of its records in the list, if they are not consecutive.
    `total_before`: how many records there were so many seconds ago. `total_of_all`: how many there
    are in the lists of all parents. `is_of_another`: the list of another parent is sent instead.
    """

    page: PageRequest
    total: int
    pages: int
    offset: int
    count: int
    places: Sequence[int] | None = None
    total_before: Callable[[float], int] | None = None
    total_of_all: int | None = None
    is_of_another: bool = False

    def pagination(self) -> Pagination:
        page = self.page
        return {
            "current": page.number,
            "previous": page.number - 1 if page.number > page.first else None,
            "next": page.number + 1 if page.number < self.pages + page.first - 1 else None,
            "limit": page.limit,
            "total_pages": self.pages,
            "total_count": self.total,
        }


def page_asked(
    query: Mapping[str, str],
    *,
    default_limit: int,
    cap: int,
    first: int = FIRST_PAGE.value,
    above_cap: AboveCap = "lowered",
) -> PageRequest:
    """A limit above the cap is lowered to it, refused, kept for pages that begin where those of the
    cap do, or lowered for pages that begin where its own would, so that records between them are
    missing.

    Raises: Refused (422), also if page or limit is no int32 from 1 (first) on.
    """
    number = _asked(query, "page", first, first)
    limit = _asked(query, "limit", default_limit, 1)
    if above_cap == "refused" and limit > cap:
        raise unprocessable(f"limit must not be above {cap}")
    if above_cap == "misplaced" and limit > cap:
        return PageRequest(number, limit, first, spacing=cap)
    spacing = limit if above_cap == "gapped" else None
    return PageRequest(number, min(limit, cap), first, spacing)


def window_of(page: PageRequest, total: int) -> Window:
    return Window(page, total, pages_of(total, page.limit), page.offset, page.limit)


def pages_of(total: int, limit: int) -> int:
    return -(-total // limit) if total else EMPTY_LIST_PAGES.value


def _asked(query: Mapping[str, str], name: str, default: int, least: int) -> int:
    text = query.get(name)
    if text is None:
        return default
    if not _DIGITS.fullmatch(text) or not least <= int(text) <= LARGEST:
        details = f"{name} must be an integer from {least} to {LARGEST}"
        raise Refused(error(PAGE_RULE.value, details))
    return int(text)
