"""Early stop: reads only the head of a list, its first pages, where its order is verified.

A list that is ordered by `updated_at`, newest first, shows every new and changed record at its
head. The order is not promised (§4.2). So it is believed only of a service of which a full scan has
shown that an edit moves an old record to the head; a run probes it on pages further on, and relies
on it for no longer than a day after a full scan.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

import numpy as np

from wholesale.compare import NO_VERSION, Past, Stored, Versions, versions_of
from wholesale.errors import counted
from wholesale.json import Page
from wholesale.tables import Decoded

SCAN_EVERY = timedelta(hours=24)
"""Only a scan of the whole list finds changes that are dated back, and deletions that the count
hides, as just as many new records have come."""
OVERLAP = timedelta(hours=1)
"""Changes this long before the last scan are read again: clocks may lag, writes take time."""
PROBES = 3
"""How many pages behind the head are looked at."""
MOST_PAGES = 100
"""Where the head is longer, a scan of the whole list is better."""
MOST_ROUNDS = 3
"""How often the head is read again for what changed meanwhile."""

Peek = Callable[[int], tuple[Page, Decoded]]
"""Reads one page of summaries, by its index from 0."""


class EarlyStopRefused(Exception):
    """The head of the list proves nothing about the rest of it."""


@dataclass(slots=True)
class EarlyStop:
    """One reading of the head of a list, against what is stored.

    - `peek`: reads a page; it also notes in the ledger what the page shows.
    - `seen`: the version of each record on the pages read, by its key.
    - `pages`: how many pages were read.
    - `total`: how many records the list counts.
    - `complete_as_of`: the moment (UTC) before which every change has shown at the head.
    """

    stored: Stored
    version: str
    peek: Peek
    seen: dict[bytes, int] = field(default_factory=dict)
    pages: int = 0
    total: int = 0
    complete_as_of: datetime = field(default_factory=lambda: datetime.now(UTC))
    _total_pages: int = 0
    _newest: int | None = None
    _oldest: int | None = None
    _new: int = 0

    def read(self, draw: Random) -> None:
        """Read the head, and probe the order of the pages after it. `draw` chooses the probes; the
        last page is always one.

        Raises: EarlyStopRefused when the list is not ordered newest first, lacks a record that was
        newer, or counts another number than is known.
        """
        self._read_down()
        assert self._oldest is not None, "it has read a page"
        head_ends_at = self._oldest
        self._check_count()
        if self._total_pages < self.pages:
            raise EarlyStopRefused("the list does not tell how many pages it has")
        behind = range(self.pages, self._total_pages)
        drawn = draw.sample(behind[:-1], min(PROBES - 1, len(behind[:-1])))
        for index in (*sorted(drawn), *behind[-1:]):
            self._probe(index)
        if behind and self._oldest == self._newest:
            raise EarlyStopRefused("orders all of one time are in no order")
        self._read_again()
        self._check_count()
        self._check_newest(head_ends_at)

    def _read_down(self) -> None:
        """Read up to the first page that holds nothing new and is older than the last scan."""
        assert self.stored.past.scanned_at, "`may_stop_early` was asked first"
        limit = int((self.stored.past.scanned_at - OVERLAP).timestamp() * 1_000_000)
        for index in range(MOST_PAGES):
            decoded = self._page(index)
            versions = self._in_order(decoded)
            self._take(decoded)
            differs = self.stored.compare(decoded).differs
            if versions[0] < limit and not differs.any():
                return
        raise EarlyStopRefused(f"nothing old within {MOST_PAGES} pages")

    def _probe(self, index: int) -> None:
        """Check that a page behind the head keeps the order and shows nothing new."""
        decoded = self._page(index)
        self._in_order(decoded)
        if self.stored.compare(decoded).differs.any():
            raise EarlyStopRefused(f"page {index + 1} holds what should be at the head")

    def _read_again(self) -> None:
        """Read the head again until it shows nothing new: what changes moves there."""
        for _ in range(MOST_ROUNDS):
            is_quiet = True
            self.complete_as_of = datetime.now(UTC)
            for index in range(MOST_PAGES):
                decoded = self._page(index)
                fresh = self._take(decoded)
                is_quiet = is_quiet and not fresh
                if fresh < len(decoded.root):
                    break
            if is_quiet:
                return
        raise EarlyStopRefused("the head does not come to rest")

    def _check_count(self) -> None:
        expected = self.stored.alive + self._new
        if self.total != expected:
            counts = counted(self.total, "record")
            raise EarlyStopRefused(f"it counts {counts} where {expected:,} are known")

    def _check_newest(self, since: int) -> None:
        """Check that the head shows each stored record whose version is newer than that: one that
        has gone back to an older version stands further on in the list."""
        is_newer = ~self.stored.is_deleted & (self.stored.versions > since)
        if lacking := set(self.stored.ids.keys[is_newer].tolist()) - self.seen.keys():
            raise EarlyStopRefused(f"its head lacks {counted(len(lacking), 'record')} of its time")

    def _page(self, index: int) -> Decoded:
        page, decoded = self.peek(index)
        self.pages += 1
        # Fewer records than rows: some have no id, or came again.
        if page.count != len(decoded.root) or page.total_count is None:
            raise EarlyStopRefused("the list cannot be counted")
        self.total, self._total_pages = page.total_count, page.total_pages or 0
        return decoded

    def _in_order(self, decoded: Decoded) -> Versions:
        """The versions of a page; none may be newer than one before it."""
        versions = versions_of(decoded.root[self.version])
        before = versions if self._oldest is None else np.append(self._oldest, versions)
        if not len(versions) or (versions == NO_VERSION).any() or (np.diff(before) > 0).any():
            raise EarlyStopRefused("the list is not ordered by its newest first")
        self._newest = int(versions[0]) if self._newest is None else self._newest
        self._oldest = int(versions[-1])
        return versions

    def _take(self, decoded: Decoded) -> int:
        """Note the records of a page, and return how many were not seen in that version before;
        none may be older than it was before."""
        fresh = 0
        keys, versions = decoded.ids.keys, versions_of(decoded.root[self.version])
        is_stored = self.stored.is_alive(decoded)
        for key, version, is_old in zip(keys.tolist(), versions.tolist(), is_stored, strict=True):
            self._new += key not in self.seen and not is_old
            if version < self.seen.get(key, version):
                raise EarlyStopRefused("the list goes back to an older version of a record")
            fresh += self.seen.get(key) != version
            self.seen[key] = version
        return fresh


def may_stop_early(past: Past) -> bool:
    """Whether the last scan of the list is recent enough to rely on, and no audit is due."""
    if past.scanned_at is None or past.audit_part is not None:
        return False
    return datetime.now(UTC) - past.scanned_at < SCAN_EVERY
