"""Service: how it counts its pages, and how large and how many of them it gives (§2.3, §8)."""

from wholesale.api import RESOURCE
from wholesale.discover.pages import Pages, ids_of
from wholesale.http import Traffic
from wholesale.pages import Service

LISTS_TO_COUNT_BY = ("orders", "vendors", "items", "buyers")
"""A list of two records or more shows the number of its first page."""
LONGER = 5
"""How many times as many rows a page are asked for in short as in full: as many bytes, about."""


def discover_service(service: Service, traffic: Traffic) -> None:
    """Find out what holds for all lists, unless it is known. Raises: Unauthorized."""
    if {"first_page", "page_size"} <= service.profile.observed | service.profile.pinned:
        return
    first_page = _first_page(service, traffic)
    if first_page is not None:
        service.observe(first_page=first_page)
    orders = Pages(service, RESOURCE["orders"], traffic)
    size, page = orders.largest()
    if page is not None and size < service.client.settings.page_size:
        service.observe(page_size=size)
    if page is None or page.is_empty:
        return  # too little is there to tell
    size = page.count if orders.is_capped(page, size) else size
    is_less = size < service.client.settings.page_size
    service.observe(page_size=size if is_less else None)
    if (page.total_count or 0) >= 2 * LONGER * size:
        in_short = Pages(service, RESOURCE["orders"], traffic, query=(("verbose", "false"),))
        longer = in_short.try_get(service.profile.first_page, LONGER * size)
        given = longer.count if longer else 0
        service.observe(summary_page_size=given if given > size else None)


def _first_page(service: Service, traffic: Traffic) -> int | None:
    """0 or 1; None while no list has enough records to tell.

    Pages 0 and 1 of one record each are asked for twice: what moved in between is no sign. A
    service that counts from 1 refuses page 0, or shows its first page for it.
    """
    for name in LISTS_TO_COUNT_BY:
        pages = Pages(service, RESOURCE[name], traffic)
        zero, one, *again = (ids_of(pages.try_get(number, 1)) for number in (0, 1, 0, 1))
        if again != [zero, one] or not (zero or one):
            continue
        if zero and zero != one:
            return 0
        if one and not zero:
            return 1
        if len(one) == 1 and ids_of(pages.try_get(2, 1)) not in (one, frozenset()):
            return 1  # the first page stands for page 0 too, and another one follows
    return None
