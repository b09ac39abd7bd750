"""Child lists: the list of children of each parent, and what these say of themselves (§4.12)."""

from dataclasses import dataclass, field
from typing import NamedTuple, Self

from wholesale.errors import ServiceError
from wholesale.json import RawPage, parse, write
from wholesale.pages.pagination import Paginator


class ChildList(NamedTuple):
    """The list of one parent, read to its end; one that is answered by 204 is empty.

    The paginator is None where the service has no such list (404) or its answer is blank, and where
    it cannot be read, by `failure`.
    """

    parent: str
    paginator: Paginator | None
    pages: list[RawPage]
    failure: ServiceError | None = None

    @property
    def is_empty(self) -> bool:
        """Whether the service says that the list has no records."""
        return self.paginator is not None and not self.paginator.records

    @property
    def is_denied(self) -> bool:
        """Whether the service says that there is no such list (404), or says nothing."""
        return self.paginator is None and self.failure is None

    @property
    def records_hash(self) -> int:
        """A hash of the records as they were sent, in any order."""
        return hash(frozenset(write(entry) for page in self.pages for entry in parse(page.records)))


@dataclass(frozen=True, slots=True)
class Miscounted:
    """A list that does not hold what it counts, but fewer records, or more."""

    records: int
    records_hash: int
    counts_more: bool

    @classmethod
    def of(cls, found: ChildList, paginator: Paginator) -> Self:
        counts_more = (paginator.last_total or 0) > paginator.records
        return cls(paginator.records, found.records_hash, counts_more)


@dataclass(slots=True)
class Tally:
    """The lists of all parents in one reading; one that is read twice counts twice, but is denied
    only if it is so at last.

    By parent: the lists that are `denied`, those that `failed`, and why, those that are
    `miscounted`, and those `with_records`. `unproved` lists were read to no certain end. `pages`
    counts the pages read; `records` is the sum of the totals, None where a list has none.
    """

    lists: int = 0
    pages: int = 0
    records: int | None = 0
    unproved: int = 0
    denied: set[str] = field(default_factory=set)
    failed: dict[str, ServiceError] = field(default_factory=dict)
    miscounted: dict[str, Miscounted] = field(default_factory=dict)
    with_records: list[str] = field(default_factory=list)
    _shown: int = 0
    _totals: set[int | None] = field(default_factory=set)

    def see(self, found: ChildList) -> None:
        """Count this list."""
        self.lists += 1
        self.denied.discard(found.parent)
        if found.failure:
            self.failed[found.parent] = found.failure
            self.records = None
        elif found.paginator is None:
            self.denied.add(found.parent)
        else:
            self._count(found, found.paginator)

    @property
    def counts_all_together(self) -> bool:
        """Whether several lists each count the records of them all, and show as many together."""
        return len(self.miscounted) > 1 and self._totals == {self._shown}

    def _count(self, found: ChildList, paginator: Paginator) -> None:
        total = paginator.last_total
        if paginator.fault:
            self.unproved += 1
        elif total not in (None, paginator.records):
            self.miscounted[found.parent] = Miscounted.of(found, paginator)
        if found.pages:
            self.with_records.append(found.parent)
        if paginator.records or total:
            self._totals.add(total)
        self.pages += paginator.pages
        self._shown += paginator.records
        self.records = None if self.records is None or total is None else self.records + total
