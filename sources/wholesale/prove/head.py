"""Head: all of the early stop, which reads only the first pages of a list (see the theory).

`Order` is what full scans tell of the order of the list, `Head` reads the pages. Who reads how a
list is proved may skip this file: without it every run reads the whole list.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

import numpy as np

from wholesale.compare import NO_VERSION, Past, Sightings, Stored, Versions, versions_of
from wholesale.errors import NotFound, Unprocessable, counted
from wholesale.json import Page
from wholesale.tables import KEY, Decoded, Mask, find

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
"""Reads one page of summaries, by its index from 0, and notes in the ledger what it shows."""


class HeadRefused(Exception):
    """The head of the list proves nothing about the rest of it."""


@dataclass(slots=True)
class Order:
    """What a full scan shows of the order of its list, against what is `stored`.

    A list by creation looks just like one by edits until an old record is edited. So the evidence
    is a record that was stored in an older version than another one, which has not changed since:
    before its edit it stood behind that one.
    """

    stored: Stored
    _falls: bool = True
    _rises: bool = True
    _last: Versions = field(default_factory=lambda: np.empty(0, np.int64))
    _oldest_edited: int = np.iinfo(np.int64).max
    _newest_unchanged: int = NO_VERSION

    @property
    def is_newest_first(self) -> bool:
        """Whether versions fell, and never rose, from one record to the next; a record without one
        breaks every order."""
        return self._falls and not self._rises

    def see(self, seen: Sightings) -> None:
        """Take the next records of the list into account."""
        now = np.append(self._last, seen.versions)
        is_known = not (now == NO_VERSION).any()
        self._falls &= is_known and bool((np.diff(now) <= 0).all())
        self._rises &= is_known and bool((np.diff(now) >= 0).all())
        self._last = now[-1:]
        if not len(self.stored):
            return
        places, is_stored = find(self.stored.ids.keys, seen.keys)
        before, now = self.stored.versions[places], seen.versions
        edited = before[is_stored & (before != NO_VERSION) & (now > before)]
        self._oldest_edited = int(edited.min(initial=self._oldest_edited))
        unchanged = now[is_stored & (now == before)]
        self._newest_unchanged = int(unchanged.max(initial=self._newest_unchanged))

    def moves_edits(self, was_believed: bool) -> bool | None:
        """Whether an edit moves a record to the head; None where this scan tells nothing new."""
        if self.is_newest_first and self._oldest_edited < self._newest_unchanged:
            return True
        return False if was_believed and not self.is_newest_first else None


def may_stop_early(past: Past) -> bool:
    """Whether the last scan of the list is recent enough to rely on, and no audit is due."""
    if past.scanned_at is None or past.audit_part is not None:
        return False
    return datetime.now(UTC) - past.scanned_at < SCAN_EVERY


def count_missed(past: Past, seen: Sightings, differs: Mask) -> int:
    """How many of these records changed before the last early stop, which did not show them."""
    if not past.stopped_at:
        return 0
    is_before = (seen.versions != NO_VERSION) & (seen.versions < _limit(past.stopped_at))
    return int(np.count_nonzero(differs & is_before))


@dataclass(slots=True)
class Head:
    """One reading of the head of a list, against what is stored.

    `pages`: how many pages were read; `total`: how many records the list counts.
    """

    stored: Stored
    version: str
    peek: Peek
    pages: int = 0
    total: int = 0
    _total_pages: int = 0
    _seen: dict[bytes, int] = field(default_factory=dict)
    _in_order: Versions = field(default_factory=lambda: np.empty(0, np.int64))

    def read(self, draw: Random) -> datetime:
        """Read the head, and probe the order of the pages after it. `draw` chooses the probes; the
        last page is always one. Returned is the moment (UTC) before which every change has shown.

        Raises: HeadRefused when the list is not ordered newest first, lacks a record that was
        newer, or counts another number than is known.
        """
        head_ends_at = self._read_down()
        self._check_count()
        if self._total_pages < self.pages:
            raise HeadRefused("the list does not tell how many pages it has")
        behind = range(self.pages, self._total_pages)
        drawn = draw.sample(behind[:-1], min(PROBES - 1, len(behind[:-1])))
        for index in (*sorted(drawn), *behind[-1:]):
            if self.stored.compare(self._page_in_order(index)).differs.any():
                raise HeadRefused(f"page {index + 1} holds what should be at the head")
        if behind and self._in_order[0] == self._in_order[-1]:
            raise HeadRefused("orders all of one time are in no order")
        complete_as_of = self._read_again()
        self._check_count()
        self._check_newest(head_ends_at)
        return complete_as_of

    def _read_down(self) -> int:
        """Read up to the first page that holds nothing new and is older than the last scan; return
        the oldest version there."""
        assert self.stored.past.scanned_at, "`may_stop_early` was asked first"
        limit = _limit(self.stored.past.scanned_at)
        for index in range(MOST_PAGES):
            decoded = self._page_in_order(index)
            self._take(decoded)
            newest = self._in_order[-len(decoded.root)]
            if newest < limit and not self.stored.compare(decoded).differs.any():
                return int(self._in_order[-1])
        raise HeadRefused(f"nothing old within {MOST_PAGES} pages")

    def _read_again(self) -> datetime:
        """Read the head again until it shows nothing new, as what changes moves there; return when
        the last round began."""
        for _ in range(MOST_ROUNDS):
            is_quiet, began_at = True, datetime.now(UTC)
            for index in range(MOST_PAGES):
                decoded = self._page(index)
                fresh = self._take(decoded)
                is_quiet = is_quiet and not fresh
                if fresh < len(decoded.root):
                    break
            if is_quiet:
                return began_at
        raise HeadRefused("the head does not come to rest")

    def _check_count(self) -> None:
        seen = np.array(list(self._seen), KEY)
        new = np.count_nonzero(~find(self.stored.alive_keys, seen)[1])
        expected = self.stored.alive + int(new)
        if self.total != expected:
            counts = counted(self.total, "record")
            raise HeadRefused(f"it counts {counts} where {expected:,} are known")

    def _check_newest(self, since: int) -> None:
        """Check that the head shows each stored record whose version is newer than that: one that
        has gone back to an older version stands further on in the list."""
        is_newer = ~self.stored.is_deleted & (self.stored.versions > since)
        if lacking := set(self.stored.ids.keys[is_newer].tolist()) - self._seen.keys():
            raise HeadRefused(f"its head lacks {counted(len(lacking), 'record')} of its time")

    def _page(self, index: int) -> Decoded:
        try:
            page, decoded = self.peek(index)
        except (NotFound, Unprocessable) as error:
            raise HeadRefused(str(error)) from None
        self.pages += 1
        # Fewer records than rows: some have no id, or came again.
        if page.count != len(decoded.root) or page.total_count is None:
            raise HeadRefused("the list cannot be counted")
        self.total, self._total_pages = page.total_count, page.total_pages or 0
        return decoded

    def _page_in_order(self, index: int) -> Decoded:
        """A page of which no version is newer than one before it."""
        decoded = self._page(index)
        versions = versions_of(decoded.root[self.version])
        self._in_order = np.append(self._in_order, versions)
        is_known = len(versions) and (versions != NO_VERSION).all()
        if not is_known or (np.diff(self._in_order) > 0).any():
            raise HeadRefused("the list is not ordered by its newest first")
        return decoded

    def _take(self, decoded: Decoded) -> int:
        """Note the records of a page, and return how many were not seen in that version before;
        none may be older than it was before."""
        versions = versions_of(decoded.root[self.version])
        shown = dict(zip(decoded.ids.keys.tolist(), versions.tolist(), strict=True))
        fresh = shown.items() - self._seen.items()
        if any(version < self._seen.get(key, version) for key, version in fresh):
            raise HeadRefused("the list goes back to an older version of a record")
        self._seen |= shown
        return len(fresh)


def _limit(moment: datetime) -> int:
    """As a version: what is older than this was certainly there at that moment."""
    return int((moment - OVERLAP).timestamp() * 1_000_000)
