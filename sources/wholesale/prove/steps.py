"""Steps: what each step of a reading shows of a list, and who carries it out."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

import numpy as np

from wholesale.tables import KEY, Keys


def no_keys() -> Keys:
    return np.empty(0, KEY)


@dataclass(frozen=True, slots=True)
class Probe:
    """One page, asked for while nothing else is under way; `at` is when it was sent, UTC.

    - `total`: how many records the service counts; None where it does not.
    - `is_whole`: the page holds as many records as are counted, and names no further page.
    - `unknown`: how many of its records are neither alive in the destination nor were seen in an
      earlier step.
    - `pages`: how many pages the list has; None if the service does not say.
    """

    step: int
    at: datetime
    total: int | None
    is_whole: bool = False
    unknown: int = 0
    pages: int | None = None


@dataclass(frozen=True, slots=True)
class Scan:
    """What a full scan of a list showed; `at` is when it began, UTC.

    - `records`, `duplicates`: how many distinct records came, and how many came again; `nameless`
      came without an id, which the service counts too.
    - `fingerprint`: one number for all records and their states, in any order.
    - `page_size`: how many records a page were asked for.
    - `totals`: the least and the greatest number of records that its responses counted.
    - `fault`: why it may lack records; None where nothing is known to be missing.
    - `is_one_page`: one response held as many records as it counted.
    - `repeated`: keys of the records that came again; `contradicted` of those of them that came in
      several contents, of which no version tells the newer one.
    """

    step: int
    at: datetime
    records: int
    duplicates: int
    fingerprint: int
    page_size: int
    totals: tuple[int, int] | None
    fault: str | None = None
    is_one_page: bool = False
    repeated: Keys = field(default_factory=no_keys)
    contradicted: Keys = field(default_factory=no_keys)
    nameless: int = 0

    @property
    def is_exact(self) -> bool:
        """Whether it shows as many records as each of its responses counts, each of them once."""
        are_counted = self.totals == (self.records, self.records)
        return are_counted and not self.duplicates and not self.fault

    @property
    def lacking(self) -> int:
        """How many records each of its responses counts besides those that it shows."""
        least, most = self.totals or (0, 0)
        return max(0, least - self.records - self.nameless) if least == most else 0

    def shows_the_same(self, other: "Scan") -> bool:
        """Whether these are the same records in the same states."""
        return (self.records, self.fingerprint) == (other.records, other.fingerprint)

    def rows_like(self, other: "Scan") -> int:
        """How many rows it is certain to have shown of what the list counts: a record that comes
        again is counted again, where the other scan shows the same ones as often."""
        is_like = self.duplicates == other.duplicates
        is_like = is_like and np.array_equal(self.repeated, other.repeated)
        return self.records + (self.duplicates if is_like else 0)


@dataclass(frozen=True, slots=True)
class Asked:
    """The result of detail requests: keys that are alive, and keys that are 404."""

    alive: Keys
    not_found: Keys


class Listing(Protocol):
    """The list of a resource: each call is one step, noted in the ledger under that number.

    Changes are passed on as they are read. Raises: ServiceError.
    """

    @property
    def unread_keys(self) -> Keys:
        """Records that were asked for in vain, though the service answers otherwise."""
        ...

    def probe(self, step: int, index: int) -> Probe:
        """Read one page by itself, while nothing else is under way; `index` counts from 0."""
        ...

    def scan(self, step: int, cut: int = 0) -> Scan:
        """Read the whole list; its pages are `cut` tenths smaller than usual, or than the largest
        that came."""
        ...

    def full_records(self, step: int, keys: Keys) -> None:
        """Read these records in full, as no current body is held of them."""
        ...

    def ask(self, step: int, keys: Keys) -> Asked:
        """Read each of these records by itself."""
        ...
