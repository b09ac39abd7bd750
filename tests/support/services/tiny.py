"""Tiny: a service of a few records in memory, for exploring every order of events."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Literal

import numpy as np

from wholesale.compare.ledger import Ledger, Sightings
from wholesale.json.page import Page
from wholesale.pages.paginator import Paginator
from wholesale.prove.steps import Asked, Probe, Scan
from wholesale.tables.ids import KEY, Keys

DAWN = datetime(2026, 1, 1, tzinfo=UTC)
MovesTo = Literal["head", "end", "stays"]
Fault = Literal["empty page", "no total", "page before"]


@dataclass(frozen=True, slots=True)
class Insert:
    """A new record, at the head of the list or at its end."""

    at_head: bool


@dataclass(frozen=True, slots=True)
class Delete:
    place: int


@dataclass(frozen=True, slots=True)
class Edit:
    """A new version of the record at a place, which moves it to the head or the end, or nowhere."""

    place: int
    moves_to: MovesTo


Event = Insert | Delete | Edit
State = dict[str, int]
"""Version of each record that is alive."""


@dataclass(slots=True)
class TinyService:
    """`events` happen before the request of that number, `faults` befall the request itself.

    `history` has the state at each request.
    """

    records: list[tuple[str, int]]
    events: Sequence[tuple[int, Event]] = ()
    faults: Sequence[tuple[int, Fault]] = ()
    has_totals: bool = True
    requests: int = 0
    made: int = 0
    history: list[State] = field(default_factory=list)

    def turn(self) -> Fault | None:
        """What the next request meets."""
        for number, event in self.events:
            if number == self.requests:
                self._happen(event)
        self.history.append(dict(self.records))
        fault = next((fault for number, fault in self.faults if number == self.requests), None)
        self.requests += 1
        return fault

    @property
    def now(self) -> datetime:
        """A time that tells the number of the next request."""
        return DAWN + timedelta(seconds=self.requests)

    def states_since(self, at: datetime) -> list[State]:
        return self.history[round((at - DAWN).total_seconds()) :]

    def _happen(self, event: Event) -> None:
        if isinstance(event, Insert):
            self.made += 1
            record = (f"new{self.made}", 1)
            self.records.insert(0 if event.at_head else len(self.records), record)
        elif event.place < len(self.records):
            key, version = self.records.pop(event.place)
            if isinstance(event, Edit):
                to = {"head": 0, "end": len(self.records), "stays": event.place}[event.moves_to]
                self.records.insert(to, (key, version + 1))


def keys_of(names: Sequence[str]) -> Keys:
    return np.array([name.encode() for name in names], KEY)


@dataclass(slots=True)
class TinyListing:
    """The list of a tiny service, as a course asks for it; `held` is what a destination holds."""

    service: TinyService
    ledger: Ledger
    limit: int
    held: State
    has_summaries: bool
    stored: State = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.stored = dict(self.held)

    @property
    def unread_keys(self) -> Keys:
        return np.empty(0, KEY)

    def probe(self, step: int, index: int) -> Probe:
        at = self.service.now
        page = self._page(index, self.limit)
        names = self._names(page)
        known = self.ledger.last_seen(keys_of(names))
        unknown = sum(
            name not in self.stored and not seen
            for name, seen in zip(names, known.tolist(), strict=True)
        )
        self._note(step, page, is_listed=False)
        total = page.total_count
        pages = None if total is None else -(-total // self.limit)
        is_whole = total == len(names) and index == 0
        return Probe(step, at, total, is_whole, unknown, pages)

    def scan(self, step: int, cut: int = 0) -> Scan:
        at = self.service.now
        limit = self.limit + cut
        paginator = Paginator(limit=limit)
        found: State = {}
        while wanted := paginator.wanted:
            page = self._page(wanted[0] - 1, limit)
            if paginator.see(page):
                found |= self._note(step, page)
        are_counted = paginator.totals == (len(found), len(found))
        return Scan(
            step=step,
            at=at,
            records=len(found),
            duplicates=paginator.records - len(found),
            fingerprint=hash(frozenset(found.items())),
            page_size=limit,
            totals=paginator.totals,
            fault=paginator.fault,
            is_one_page=paginator.pages == 1 and are_counted and not paginator.fault,
        )

    def full_records(self, step: int, keys: Keys) -> None:
        self.ask(step, keys)

    def ask(self, step: int, keys: Keys) -> Asked:
        alive: list[str] = []
        denied: list[str] = []
        for key in keys.tolist():
            self.service.turn()
            name = key.decode()
            version = dict(self.service.records).get(name)
            (alive if version else denied).append(name)
            if version:
                self._take(step, {name: version}, is_body=True)
        return Asked(keys_of(sorted(alive)), keys_of(sorted(denied)))

    def _page(self, index: int, limit: int) -> Page:
        fault = self.service.turn()
        if fault == "page before":
            index = max(0, index - 1)
        shown = self.service.records[index * limit : (index + 1) * limit]
        if fault == "empty page":
            shown = []
        is_counted = self.service.has_totals and fault != "no total"
        total = len(self.service.records) if is_counted else None
        pages = None if total is None else -(-total // limit)
        rows = [{"id": key, "version": version} for key, version in shown]
        return Page(json.dumps(rows).encode(), len(rows), total_count=total, total_pages=pages)

    def _names(self, page: Page) -> list[str]:
        return [row["id"] for row in json.loads(page.records)]

    def _note(self, step: int, page: Page, *, is_listed: bool = True) -> State:
        shown = {row["id"]: row["version"] for row in json.loads(page.records)}
        self._take(step, shown, is_body=is_listed and not self.has_summaries)
        return shown

    def _take(self, step: int, shown: State, *, is_body: bool) -> None:
        names = sorted(shown)
        keys = keys_of(names)
        versions = np.array([shown[name] for name in names], np.int64)
        states = versions.astype(np.uint64)
        was_alive = np.array([name in self.stored for name in names], np.bool_)
        seen = Sightings(keys, versions, states, was_alive)
        is_stored = np.array([self.stored.get(name) == shown[name] for name in names], np.bool_)
        self.ledger.note(step, seen, is_stored)
        if is_body:
            self.held |= shown
            self.ledger.take(step, seen)
