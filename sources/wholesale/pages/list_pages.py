"""List pages: one list of the service, a page at a time."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from wholesale.errors import (
    ContentError,
    Failing,
    NoContent,
    NotFound,
    ServiceError,
    TooLarge,
    Unauthorized,
    Unavailable,
    Unprocessable,
)
from wholesale.http import Traffic
from wholesale.json import NOTHING, Page, RawPage, read_page
from wholesale.pages.service import PagingStyle, Service

log = logging.getLogger("wholesale.list_reader")

MOST_FAILURES = 10
"""If more pages than that cannot be read, the list cannot."""

PAGE, LIMIT = "page", "limit"  # §4.2
LEFT_OUT = (frozenset({LIMIT}), frozenset({PAGE, LIMIT}))
"""Parameters without which a list may be read: §4.12 shows none for most."""
LESS = 4
"""A service that fails at so many records a page is asked for this part of them."""
ATTEMPTS_AT_LESS = 2
ATTEMPTS_IF_OTHERS_MATTER = 2
"""For a page that may fail, as it is noted, and the others are read all the same."""

T = TypeVar("T")
Query = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ListPages:
    """The pages of the list at `path`; `parent` is the id of the parent whose list it is.

    `name` is that of the endpoint. `failures`: as in `Fetcher.read_list`.
    """

    service: Service
    traffic: Traffic
    name: str
    path: str
    query: Query
    parent: str | None = None
    failures: list[ServiceError] | None = None

    @property
    def style(self) -> PagingStyle:
        """How lists of the service are paged, as far as it is known."""
        return self.service.paging

    def at(self, index: int) -> Page:
        """The page at `index`, which counts from 0, in the usual size."""
        while True:
            limit = self.style.limit
            try:
                return self.page(self.style.first + index, limit)
            except Unprocessable as refusal:
                self.lower_limit(limit, refusal, is_new=index == 0)
            except Failing as failure:
                if index:
                    raise
                self.ask_for_less(limit, failure)
            except NotFound:
                if index or not self.starts_at_zero():
                    raise

    def starts_at_zero(self) -> bool:
        """Whether there is a page 0 with records and no page 1, where none is known to be the
        first: used for all lists from now on. To be asked where page 1 is denied, which may be a
        mistake, as a service may show its first page for page 0."""
        style = self.style
        if style.is_first_known or self.parent is not None:
            return False
        try:
            if self.page(0, style.limit, ATTEMPTS_AT_LESS).is_empty:
                return False
        except Unauthorized:
            raise
        except ServiceError:
            return False
        if not self._is_denied(style.first):
            return False
        log.warning("the service counts its pages from 0: GET %s denies page 1", self.path)
        style.first, style.is_first_known = 0, True
        return True

    def _is_denied(self, number: int) -> bool:
        try:
            self.page(number, self.style.limit)
        except NotFound:
            return True
        return False

    @property
    def is_paged(self) -> bool:
        """Whether the list takes the number of a page; else it has one."""
        return PAGE not in self.style.left_out.get(self.name, ())

    def page(
        self,
        number: int,
        limit: int,
        attempts: int | None = None,
        left_out: frozenset[str] | None = None,
    ) -> Page:
        """The page of that number; `left_out` are parameters that are not sent."""
        if not self.is_paged and number != self.style.first:
            return NOTHING
        get = partial(
            self.service.client.get,
            self.path,
            self._params(number, limit, left_out),
            read=read_page,
            traffic=self.traffic,
            attempts=attempts,
        )
        try:
            return get()
        except NoContent:
            return get()
        except NotFound:
            if self.parent is not None or number != self.style.first:
                raise
            return get()

    def page_or_end(self, limit: int, first: int, number: int) -> Page:
        """The same; an empty page for 404 after the first, as some services end a list, and for one
        that cannot be read, if failures are noted.

        Raises: TooLarge, if the list is empty at this limit and not at a lower one, which is used
        for all lists from now on.
        """
        attempts = None if self.failures is None else ATTEMPTS_IF_OTHERS_MATTER
        try:
            page = self.page(number, limit, attempts)
            if page.is_empty and number == first and self.parent is None:
                return self._confirm_empty(number, limit)
            if page.is_empty and (number - first) * limit < (page.total_count or 0):
                page = self.page(number, limit)  # empty by mistake: its total says more
            return page
        except (NotFound, NoContent):
            if number == first:
                raise
        except (Unavailable, ContentError) as failure:
            if self.failures is None or len(self.failures) >= MOST_FAILURES:
                raise
            self.failures.append(failure)
        return NOTHING

    def _confirm_empty(self, number: int, limit: int) -> Page:
        """The first page once more: it has no records if it has none at a limit of 1 either, where
        pages are not counted from 0."""
        page = self.page(number, limit)
        if not page.is_empty or limit == 1 or self.page(number, 1).is_empty:
            return page
        if not self._is_first(number, limit):
            return page
        less = limit // LESS
        while less > 1 and self.page(number, less).is_empty:
            less //= LESS
        less = max(1, less)
        self.style.limit = min(self.style.limit, less)
        log.warning("the service shows nothing at limit=%d and records at %d", limit, less)
        raise TooLarge(f"GET {self.path} shows nothing at limit={limit}: try a smaller one")

    def _is_first(self, number: int, limit: int) -> bool:
        """Whether no page before this one shows anything."""
        try:
            return self.style.is_first_known or self.page(number - 1, limit).is_empty
        except Unauthorized:
            raise
        except ServiceError:
            return True

    def refetch(self, number: int, limit: int, read: Callable[[RawPage], T]) -> T:
        """What `read` makes of that page, which is fetched once more."""

        def as_page(body: bytes) -> RawPage:
            return RawPage(read_page(body).records, number, self.parent)

        params = self._params(number, limit)
        return self.service.refetch(self.path, params, as_page, self.traffic, read)

    def lower_limit(self, refused: int, refusal: Unprocessable | TooLarge, *, is_new: bool) -> None:
        """Find a limit that the service accepts, and use it for all lists from now on; where it
        accepts none, leave the limit out for this list, or the number of the page too.

        `is_new`: no page was read with the refused limit yet.

        Raises: `refusal` when it is something else that is refused.
        """
        if self.style.limit < refused:
            return  # another thread has learned it meanwhile
        if is_new and self.name in self.style.left_out:
            self.page(self.style.first, refused)  # the same
            return
        limit = refused // 2 if is_new else refused
        while limit:
            try:
                self.page(self.style.first, limit, left_out=frozenset())
            except (Unprocessable, TooLarge):
                limit //= 2
                continue
            if limit == refused:
                break
            self.style.limit = limit
            log.warning("the service refuses limit=%d and accepts limit=%d", refused, limit)
            return
        if limit or not self._can_leave_out():
            raise refusal

    def _can_leave_out(self) -> bool:
        for left_out in LEFT_OUT:
            try:
                self.page(self.style.first, self.style.limit, left_out=left_out)
            except ServiceError:
                continue
            self.style.left_out[self.name] = left_out
            log.warning("GET %s takes no %s", self.path, " and no ".join(sorted(left_out)))
            return True
        return False

    def ask_for_less(self, limit: int, failure: Failing) -> None:
        """Find a limit at which the service does not fail, as it does at this one to the last, and
        use it for all lists from now on; leave all as it is if this one is answered after all.

        Raises: `failure`, if fewer records a page are no help, or were none before.
        """
        if self.parent is not None or self.path in self.style.asked_for_less:
            raise failure
        self.style.asked_for_less[self.path] = self.style.limit
        less = limit // LESS
        while less and self._fails_at(less):
            less //= LESS
        if not less:
            raise failure
        if self._fails_at(limit):
            self.style.limit = less
            log.warning("the service fails at limit=%d and answers limit=%d", limit, less)

    def stop_asking_for_less(self) -> None:
        """Use the limit of before for all lists again: the list fails in smaller pages too."""
        self.style.limit = self.style.asked_for_less.get(self.path, self.style.limit)

    def _fails_at(self, limit: int) -> bool:
        try:
            self.page(self.style.first, limit, ATTEMPTS_AT_LESS)
        except Failing:
            return True
        return False

    def _params(
        self, number: int, limit: int, left_out: frozenset[str] | None = None
    ) -> dict[str, str | int]:
        if left_out is None:
            left_out = self.style.left_out.get(self.name, frozenset())
        paging = {PAGE: number, LIMIT: limit}
        kept = {name: value for name, value in paging.items() if name not in left_out}
        return {**dict(self.query), **kept}
