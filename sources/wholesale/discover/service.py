"""Service: how it counts its pages, and how large and how many of them it gives (§2.3, §8)."""

import logging
from dataclasses import replace

from wholesale.api import RESOURCE
from wholesale.errors import Failing, ServiceError, TooLarge, Unauthorized, Unprocessable
from wholesale.http import Traffic
from wholesale.json import Page
from wholesale.pages import ListReader, Service

log = logging.getLogger("wholesale.discover")

LISTS_TO_COUNT_BY = ("orders", "vendors", "items", "buyers")
"""A list of two records or more shows the number of its first page."""
LONGER = 5
"""How many times as many rows a page are asked for in short as in full: as many bytes, about."""


def discover_service(service: Service, traffic: Traffic) -> None:
    """Find out what holds for all lists, unless it is known. Raises: Unauthorized."""
    if {"first_page", "page_size"} <= service.profile.observed | service.profile.pinned:
        return
    first_page = _number_of_first_page(service, traffic)
    if first_page is not None:
        service.observe(first_page=first_page)
    orders = ListReader(service, RESOURCE["orders"], traffic, RESOURCE["orders"].query)
    size, page = largest(orders)
    if page is None:
        return
    size = page.count if is_capped(orders, page, size) else size
    is_less = size < service.client.settings.page_size
    if is_less or not page.is_empty:
        service.observe(page_size=size if is_less else None)
    if (page.total_count or 0) >= 2 * LONGER * size and not page.is_empty:
        in_short = replace(orders, query=orders.resource.summary_query)
        longer = try_page(in_short, page=service.profile.first_page, limit=LONGER * size)
        given = longer.count if longer else 0
        service.observe(summary_page_size=given if given > size else None)


def _number_of_first_page(service: Service, traffic: Traffic) -> int | None:
    """0 or 1; None while no list has enough records to tell.

    Pages 0 and 1 of one record each are asked for twice: what moved in between is no sign. A
    service that counts from 1 refuses page 0, or shows its first page for it.
    """
    for name in LISTS_TO_COUNT_BY:
        pages = ListReader(service, RESOURCE[name], traffic, RESOURCE[name].query)
        zero, one, *again = (
            ids_of(try_page(pages, page=number, limit=1)) for number in (0, 1, 0, 1)
        )
        if again != [zero, one] or not (zero or one):
            continue
        if zero and zero != one:
            return 0
        if one and not zero:
            return 1
        if len(one) == 1 and ids_of(try_page(pages, page=2, limit=1)) not in (one, frozenset()):
            return 1  # the first page stands for page 0 too, and another one follows
    return None


def try_page(pages: ListReader, **paging: int) -> Page | None:
    """The page that is asked for so; None if it is refused or fails. Raises: Unauthorized."""
    try:
        return pages.look(**paging)
    except Unauthorized:
        raise
    except ServiceError:
        return None


def largest(pages: ListReader) -> tuple[int, Page | None]:
    """The most records a page that the list accepts, up to as many as the service is known to,
    and the first page of as many; None where it gives none. Raises: Unauthorized."""
    usual = size = pages.service.page_size(pages.resource)
    while size:
        try:
            return size, pages.look(page=pages.service.profile.first_page, limit=size)
        except (Unprocessable, TooLarge, Failing) as refusal:
            log.info("%s; fewer records a page are tried", refusal)
            size //= 2
        except Unauthorized:
            raise
        except ServiceError:
            break
    return usual, None


def is_capped(pages: ListReader, page: Page, limit: int) -> bool:
    """Whether the first page has fewer records than were asked for, though others follow."""
    if page.is_empty or page.count >= limit or page.total_count == page.count:
        return False
    following = ids_of(try_page(pages, page=pages.service.profile.first_page + 1, limit=limit))
    return bool(following) and following.isdisjoint(ids_of(page))


def ids_of(page: Page | None) -> frozenset[bytes]:
    """The ids on a page; none if there is no page, or a record on it has none."""
    return (page.ids() if page else None) or frozenset()
