"""Page limits: how many records a page a service accepts, answers in time, and shows."""

import logging

from wholesale.errors import Failing, TooLarge, Unprocessable
from wholesale.json import Page
from wholesale.pages.first_page import is_first
from wholesale.pages.list_pages import ATTEMPTS_AT_A_TRY, LIMIT, PAGE, ListPages

log = logging.getLogger("wholesale.list_reader")

LEFT_OUT = (frozenset({LIMIT}), frozenset({PAGE, LIMIT}))
"""Parameters without which a list may be read: §4.12 shows none for most."""
LESS = 4
"""A service that fails at so many records a page is asked for this part of them."""


def lower_limit(
    pages: ListPages, refused: int, refusal: Unprocessable | TooLarge, *, is_new: bool
) -> None:
    """Find a limit that the service accepts, and use it for all lists from now on; where it
    accepts none, leave the limit out for this list, or the number of the page too.

    `is_new`: no page was read with the refused limit yet.

    Raises: `refusal` when it is something else that is refused.
    """
    if pages.style.limit < refused:
        return  # another thread has learned it meanwhile
    if is_new and pages.name in pages.style.left_out:
        pages.page(pages.style.first, refused)  # the same
        return
    limit = refused // 2 if is_new else refused
    while limit:
        try:
            pages.page(pages.style.first, limit, left_out=frozenset())
        except (Unprocessable, TooLarge):
            limit //= 2
            continue
        if limit == refused:
            break
        pages.style.limit = limit
        log.warning("the service refuses limit=%d and accepts limit=%d", refused, limit)
        return
    if limit or not _can_leave_out(pages):
        raise refusal


def ask_for_less(pages: ListPages, limit: int, failure: Failing) -> None:
    """Find a limit at which the service does not fail, as it does at this one to the last, and
    use it for all lists from now on; leave all as it is if this one is answered after all.

    Raises: `failure`, if fewer records a page are no help, or were none before.
    """
    if pages.parent is not None or pages.path in pages.style.asked_for_less:
        raise failure
    pages.style.asked_for_less[pages.path] = pages.style.limit
    less = limit // LESS
    while less and _fails_at(pages, less):
        less //= LESS
    if not less:
        raise failure
    if _fails_at(pages, limit):
        pages.style.limit = less
        log.warning("the service fails at limit=%d and answers limit=%d", limit, less)


def stop_asking_for_less(pages: ListPages) -> None:
    """Use the limit of before for all lists again: the list fails in smaller pages too."""
    pages.style.limit = pages.style.asked_for_less.get(pages.path, pages.style.limit)


def confirm_empty(pages: ListPages, number: int, limit: int) -> Page:
    """The first page once more: it has no records if it has none at a limit of 1 either, where
    pages are not counted from 0."""
    page = pages.page(number, limit)
    if not page.is_empty or limit == 1 or pages.page(number, 1).is_empty:
        return page
    if not is_first(pages, number, limit):
        return page
    less = limit // LESS
    while less > 1 and pages.page(number, less).is_empty:
        less //= LESS
    less = max(1, less)
    pages.style.limit = min(pages.style.limit, less)
    log.warning("the service shows nothing at limit=%d and records at %d", limit, less)
    raise TooLarge(f"GET {pages.path} shows nothing at limit={limit}: try a smaller one")


def _can_leave_out(pages: ListPages) -> bool:
    for left_out in LEFT_OUT:
        if pages.try_page(pages.style.first, pages.style.limit, None, left_out):
            pages.style.left_out[pages.name] = left_out
            log.warning("GET %s takes no %s", pages.path, " and no ".join(sorted(left_out)))
            return True
    return False


def _fails_at(pages: ListPages, limit: int) -> bool:
    try:
        pages.page(pages.style.first, limit, ATTEMPTS_AT_A_TRY)
    except Failing:
        return True
    return False
