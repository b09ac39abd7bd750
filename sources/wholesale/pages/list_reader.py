"""List reader: the pages of one list, in order, by the profile of the service."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from wholesale.api import Resource, set_to
from wholesale.errors import (
    ContentError,
    NoContent,
    NoRecords,
    NotFound,
    ServiceError,
    TooLarge,
    Unavailable,
    Unprocessable,
    legible,
)
from wholesale.http import Traffic
from wholesale.json import NO_TOTAL, NOTHING, Page, RawPage, read_page
from wholesale.pages.paginator import Paginator
from wholesale.pages.service import Service

PAGE, LIMIT = "page", "limit"  # §4.2
MOST_FAILURES = 10
"""If more pages than that cannot be read, the list cannot."""
ATTEMPTS_IF_IT_MAY_FAIL = 2
"""For a page whose failure tells something, or is noted while the others are read."""

TIMES_AS_MANY = 10
"""A list may show so many times as many records as it counted at first: it grows while it is read.
"""

SHARE_OF_CHILDREN = 10
"""The list of one parent may show the so many-th part of `most_records`: it is held in memory, and
there are as many as parents."""

MOST_NAMED = 8
"""So many signs that a list is no empty one stand in a sentence."""

UNREAD = Page(b"[]", 0)
"""Stands for a page that cannot be read."""

T = TypeVar("T")
Query = tuple[tuple[str, str], ...]
FetchPages = Callable[[Callable[[int], Page], Iterable[int]], Iterator[Page]]
"""Calls the function with each page number, and yields the pages in that order."""


@dataclass(frozen=True, slots=True)
class ListReader:
    """Reads the list of a resource, or that of one parent, by its id.

    `fetch` asks for several pages; `failures`: pages that cannot be read are left out, and noted
    there; None: they are raised.
    """

    service: Service
    resource: Resource
    traffic: Traffic
    query: Query
    parent: str | None = None
    failures: list[ServiceError] | None = None
    fetch: FetchPages = map

    @property
    def path(self) -> str:
        """Where the list is."""
        endpoint = self.resource.list_endpoint
        return self.service.path(endpoint, self.resource, parent=self.parent)

    @property
    def is_paged(self) -> bool:
        """Whether the list takes the number of a page; else it has one."""
        return self.resource.name not in self.service.profile.lists_not_paged

    def paginator(self, limit: int) -> Paginator:
        """A paginator at the first page of this list."""
        profile = self.service.profile
        return Paginator(profile.first_page, limit, profile.counts(self.resource.name))

    def read(self, paginator: Paginator) -> Iterator[RawPage]:
        """The pages with records, in order; the paginator has seen a page before it is yielded.

        A page that is refused (422) behind others ends the list with a fault, unless as many
        records came as are counted.

        Raises: ServiceError, also for a list that goes on beyond all that it may hold.
        """
        limit = paginator.limit
        while wanted := paginator.wanted:
            pages = self.fetch(partial(self._page_or_end, limit), wanted)
            try:
                for number, page in zip(wanted, pages, strict=False):
                    if page is UNREAD:
                        paginator.skip()
                    elif paginator.see(page):
                        refetch = partial(self.refetch, number, limit)
                        yield RawPage(page.records, number, self.parent, refetch)
                        self.refuse_to_go_on(paginator)
                    if paginator.is_ended:
                        break
            except NoRecords as doubt:
                if not paginator.pages:
                    raise
                paginator.end(str(doubt))
            except Unprocessable:
                if not paginator.pages:
                    raise
                paginator.refuse(
                    f"page {paginator.pages + 1} is refused: the service shows no more than"
                    f" {paginator.records:,} records of the list"
                )

    def refuse_to_go_on(self, paginator: Paginator) -> None:
        """Raises: ServiceError behind more records than the list can have."""
        records, counted = paginator.records, paginator.first_total
        share = 1 if self.parent is None else SHARE_OF_CHILDREN
        most = self.service.profile.most_records // share
        if records > max(most, TIMES_AS_MANY * (counted or 0)):
            raise ServiceError(
                f"GET {self.path} goes on behind {records:,} records, and counted"
                f" {'none' if counted is None else f'{counted:,}'} at first: if it is as long,"
                f" {set_to('most_records', TIMES_AS_MANY * records * share)}"
            )

    def page(self, index: int, limit: int) -> Page:
        """One page; `index` counts from 0. One that lists nothing is asked for once more, if it is
        the first of a list that has no parent, or its own total contradicts it.

        Raises: ServiceError; the sentence names the setting of what is refused.
        """
        if not self.is_paged and index:
            return NOTHING
        number = self.service.profile.first_page + index
        page = self._get(number, limit)
        is_doubtful = (not index and self.parent is None) or index * limit < (page.total_count or 0)
        return self._get(number, limit) if page.is_empty and is_doubtful else page

    def refetch(self, number: int, limit: int, read: Callable[[RawPage], T]) -> T:
        """What `read` makes of that page, which is asked for once more."""
        self.traffic.add(retries=1)

        def read_again(body: bytes) -> T:
            return read(RawPage(read_page(body).records, number, self.parent))

        return self._ask(self._paging(number, limit), read_again)

    def look(self, **paging: int) -> Page:
        """The page that is asked for by `page` and `limit`, or one of these, or neither, as it
        comes: it may be refused, or show nothing. Raises: ServiceError."""
        return self._ask(paging, read_page, ATTEMPTS_IF_IT_MAY_FAIL)

    def _page_or_end(self, limit: int, number: int) -> Page:
        """The page of that number; an empty one for 404 after the first, as some services end a
        list, and UNREAD for one that cannot be read, if failures are noted."""
        try:
            return self.page(number - self.service.profile.first_page, limit)
        except NoRecords:
            raise
        except (NotFound, NoContent):
            if number == self.service.profile.first_page:
                raise
        except (Unavailable, ContentError) as failure:
            if self.failures is None or len(self.failures) >= MOST_FAILURES:
                raise
            self.failures.append(failure)
            return UNREAD
        return NOTHING

    def _get(self, number: int, limit: int) -> Page:
        is_first = number == self.service.profile.first_page
        attempts = None if self.failures is None else ATTEMPTS_IF_IT_MAY_FAIL
        try:
            read = partial(self._read, is_first)
            return self._ask(self._paging(number, limit), read, attempts)
        except (Unprocessable, TooLarge) as refusal:
            if not is_first and isinstance(refusal, Unprocessable):
                raise  # it is the page that is refused, and not its size
            smaller = set_to("page_size", max(1, limit // 2))
            raise type(refusal)(f"{refusal} ({smaller})") from None

    def _read(self, is_first: bool, body: bytes) -> Page:
        """The page in a body. The first one may have no records if it lacks nothing of §2.3, and,
        as any that no total proves, has no member besides that it never had beside records.

        Raises: ContentError.
        """
        page, profile, name = read_page(body), self.service.profile, self.resource.name
        is_counted = profile.counts(name)
        if page.is_empty and (is_first or not is_counted):
            lacks = page.lacks - (frozenset() if is_counted else {NO_TOTAL}) if is_first else set()
            odd = page.members - profile.members.get(name, frozenset()) | lacks
            exact = {sign.partition(": ")[0]: sign for sign in sorted(odd)}
            self._refuse_odd([exact[path] for path in exact if not self._is_set(path, exact[path])])
        return page

    def _is_set(self, *names: str) -> bool:
        """Whether the setting has one of these names for what an empty list may have."""
        known = self.service.profile.empty_lists
        return not known.isdisjoint(f"{self.resource.name}: {name}" for name in names)

    def _refuse_odd(self, odd: Sequence[str]) -> None:
        """Raises: NoRecords, if there is anything by which a list is no empty one. What a member
        says is named with it, as `result: failure` is another sign than `result: success`."""
        if not odd:
            return
        told = odd[:MOST_NAMED]
        shown = ", ".join(map(legible, told))
        signs = (f"{self.resource.name}: {sign}" for sign in told)
        remedy = self.service.with_remedies(self.service.remedy("empty_lists", *signs))
        raise NoRecords(
            f"it shows no records, and is no empty list as §2.3 has it: {shown} {remedy} if"
            " this service writes one so"
        )

    def _paging(self, number: int, limit: int) -> Mapping[str, str | int]:
        return {PAGE: number, LIMIT: limit} if self.is_paged else {}

    def _ask(
        self,
        paging: Mapping[str, str | int],
        read: Callable[[bytes], T],
        attempts: int | None = None,
    ) -> T:
        """What `read` makes of the response."""
        params = {**dict(self.query), **paging}
        client, traffic = self.service.client, self.traffic
        return client.get(self.path, params, read=read, traffic=traffic, attempts=attempts)
