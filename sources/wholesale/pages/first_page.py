"""First page: whether a service counts its pages from 0 or from 1, which §2.3 leaves open."""

import logging

from wholesale.api import FIRST_PAGE
from wholesale.errors import NotFound
from wholesale.json import NOTHING, Page
from wholesale.pages.list_pages import ListPages
from wholesale.pages.pagination import Paginator

log = logging.getLogger("wholesale.list_reader")


def starts_at_zero(pages: ListPages) -> bool:
    """Whether page 0 has records and page 1 has none: then lists are counted from 0 from now on.

    To be asked where page 1 is denied (404) or empty. Page 1 is asked for again, as that may have
    been a mistake, and a service that counts from 1 may show its first page for page 0.
    """
    style = pages.style
    if style.is_first_known or pages.parent is not None:
        return False
    page_zero = pages.try_page(0, style.limit)
    if page_zero is None or page_zero.is_empty or _has_records(pages, style.first):
        return False
    log.warning("the service counts its pages from 0: GET %s has nothing on page 1", pages.path)
    style.first, style.is_first_known = 0, True
    return True


def find_page_zero(pages: ListPages, paginator: Paginator, limit: int) -> Page | None:
    """Page 0, if the service turns out to count pages from 0, so that a list that was read from
    page 1 to its end lacks it.

    It is asked for only while that is not known, and where the list counts another number of
    records than came.
    """
    style = pages.style
    if not pages.is_paged:
        return None
    if style.is_first_known or paginator.records == paginator.last_total:
        style.is_first_known = style.is_first_known or paginator.filled > 1
        return None
    if pages.path in style.blank and paginator.records <= 1:
        return None
    page_zero = pages.try_page(0, limit)
    if page_zero and _tells_nothing(page_zero, paginator):
        style.blank.add(pages.path)
        return None
    style.is_first_known = True
    if page_zero is None or not _is_before_page_one(page_zero, pages, paginator, limit):
        return None
    log.warning("the service counts its pages from 0: GET %s?page=0 has other records", pages.path)
    style.first = 0
    return None if paginator.has_seen(page_zero) else page_zero


def is_first(pages: ListPages, number: int, limit: int) -> bool:
    """Whether no page before this one shows anything."""
    if pages.style.is_first_known:
        return True
    before = pages.try_page(number - 1, limit)
    return before is None or before.is_empty


def _has_records(pages: ListPages, number: int) -> bool:
    try:
        return not pages.page(number, pages.style.limit).is_empty
    except NotFound:
        return False


def _tells_nothing(page_zero: Page, paginator: Paginator) -> bool:
    """Whether the list is too short to tell pages 0 and 1 apart: it is empty, or shows its only
    record on every page."""
    if paginator.records == 1:
        return paginator.is_one_page_for_ever and paginator.has_seen(page_zero)
    return not paginator.records and page_zero.is_empty


def _is_before_page_one(
    page_zero: Page, pages: ListPages, paginator: Paginator, limit: int
) -> bool:
    if page_zero.is_empty:
        return False
    if paginator.has_seen(page_zero):
        return paginator.is_one_page_for_ever and _is_told_by_single_records(pages)
    page_one = pages.try_page(FIRST_PAGE.value, limit)
    return page_one is not None and not page_zero.overlaps(page_one)


def _is_told_by_single_records(pages: ListPages) -> bool:
    """Whether page 0 stands before page 1, though both show the same records, as where a service
    shows its last page for any number behind it. Pages of one record tell, if they do so twice."""
    numbers = (0, FIRST_PAGE.value) * 2
    zero, one, *again = ((pages.try_page(number, 1) or NOTHING).ids() for number in numbers)
    return zero != one and len(zero or ()) == len(one or ()) == 1 and again == [zero, one]
