"""Page limits: how many records a page may have for a service to accept and answer it."""

import logging

from wholesale.errors import Failing, TooLarge, Unprocessable
from wholesale.json import Page
from wholesale.pages.first_page import is_first
from wholesale.pages.list_pages import ATTEMPTS_AT_A_TRY, LIMIT, PAGE, ListPages

log = logging.getLogger("wholesale.list_reader")

LEFT_OUT = (frozenset({LIMIT}), frozenset({PAGE, LIMIT}))
"""Parameters without which a list may be read: §4.12 shows none for most."""
DIVISOR = 4
"""Where a service fails at a number of records a page, this part of them is asked for."""


def lower_limit(
    pages: ListPages, refused: int, refusal: Unprocessable | TooLarge, *, is_first: bool
) -> None:
    """Find a limit that the service accepts, and use it for all lists from now on; where it
    accepts none, leave the limit out for this list, or the number of the page too.

    `is_first`: the first page was refused, and none was read with this limit yet.

    Raises: `refusal` when it is something else that is refused.
    """
    if pages.style.limit < refused:
        return  # another thread has learned it meanwhile
    if pages.name in pages.style.left_out:
        if not is_first:
            raise refusal  # the page is refused, and no parameter
        pages.page(pages.style.first, refused)  # another thread has learned it meanwhile
        return
    is_limit_refused = is_first or isinstance(refusal, TooLarge)
    limit = refused // 2 if is_limit_refused else refused
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
    """Find a smaller limit at which the service does not fail, and use it for all lists from now
    on; nothing changes if this limit is answered when it is asked for once more.

    Raises: `failure`, if fewer records a page do not help, or did not help before.
    """
    if pages.parent is not None or pages.path in pages.style.asked_for_less:
        raise failure
    pages.style.asked_for_less[pages.path] = pages.style.limit
    less = limit // DIVISOR
    while less and _fails_at(pages, less):
        less //= DIVISOR
    if not less:
        raise failure
    if _fails_at(pages, limit):
        pages.style.limit = less
        log.warning("the service fails at limit=%d and answers limit=%d", limit, less)


def stop_asking_for_less(pages: ListPages) -> None:
    """Go back to the limit before `ask_for_less`: the list fails in smaller pages too."""
    pages.style.limit = pages.style.asked_for_less.get(pages.path, pages.style.limit)


def confirm_empty(pages: ListPages, number: int, limit: int) -> Page:
    """The first page, asked for once more, as it came empty.

    Raises: TooLarge, where it is empty at this limit and shows records at a smaller one, which is
    used for all lists from now on.
    """
    page = pages.page(number, limit)
    if not page.is_empty or limit == 1 or pages.page(number, 1).is_empty:
        return page
    if not is_first(pages, number, limit):
        return page
    less = limit // DIVISOR
    while less > 1 and pages.page(number, less).is_empty:
        less //= DIVISOR
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
