"""Every order of events on a tiny list: no false certificate, and none withheld in peace."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from typing import get_args

import pytest

from support.few import by_hand
from support.services.tiny import (
    Delete,
    Edit,
    Event,
    Fault,
    Insert,
    MovesTo,
    State,
    TinyListing,
    TinyService,
    keys_of,
)
from wholesale.compare.ledger import Ledger
from wholesale.prove.absence import Absence
from wholesale.prove.course import Course

Faults = Sequence[tuple[int, Fault]]

NAMES = ("a", "b", "c", "d")

LAST_REQUEST = 4


def run(
    listed: Sequence[str],
    stored: State,
    limit: int,
    events: Sequence[tuple[int, Event]] = (),
    faults: Sequence[tuple[int, Fault]] = (),
    *,
    has_summaries: bool = True,
    can_ask: bool = True,
    has_totals: bool = True,
    is_counted: bool = True,
) -> tuple[Course, TinyListing]:
    service = TinyService([(name, 1) for name in listed], events, faults, has_totals=has_totals)
    ledger = Ledger()
    listing = TinyListing(service, ledger, limit, dict(stored), has_summaries)
    course: Course = Course(
        ledger,
        listing,
        Absence(ledger, listing.ask, keys_of(sorted(stored)), keys_of([]), can_ask=can_ask),
        limit,
        has_summaries=has_summaries,
        is_counted=is_counted,
    )
    course.read()
    return course, listing


def wrongs(course: Course, listing: TinyListing) -> list[str]:
    """What a certificate of this reading would hide."""
    if course.proof is None or len(course.refused) or len(course.absence.suspects):
        return []
    states = listing.service.states_since(course.proof.complete_as_of)
    gone = {key.decode() for key in course.absence.gone.tolist()}
    alive = listing.held.keys() - gone
    found = []
    for name, version in states[0].items():
        if name not in alive and all(name in state for state in states):
            found.append(f"{name} is missing")
        if name in alive and listing.held[name] < version:
            found.append(f"{name} is older than it was")
    found += [f"{name} is a phantom" for name in alive if not any(name in s for s in states)]
    return found


EVENTS: Sequence[Event] = (
    Insert(at_head=True),
    Insert(at_head=False),
    *(Delete(place) for place in range(3)),
    *(Edit(place, to) for place in (0, 2) for to in get_args(MovesTo)),
)


def schedules(changes: int, last: int) -> Iterator[Sequence[tuple[int, Event]]]:
    for moments in combinations_with_replacement(range(last + 1), changes):
        for events in product(EVENTS, repeat=changes):
            yield tuple(zip(moments, events, strict=True))


@pytest.mark.parametrize("has_summaries", [True, False])
@pytest.mark.parametrize("limit", [1, 2])
@pytest.mark.parametrize("size", range(5))
def test_a_list_that_stands_still_is_certified(size: int, limit: int, has_summaries: bool) -> None:
    listed = NAMES[:size]
    for held in (
        {},
        dict.fromkeys(listed, 1),
        dict.fromkeys(listed[1:], 1),
        dict.fromkeys("az", 1),
    ):
        course, listing = run(listed, held, limit, has_summaries=has_summaries)

        gone = {key.decode() for key in course.absence.gone.tolist()}
        if listed:
            assert course.proof is not None
            assert len(course.absence.suspects) == 0
            assert listing.held.keys() - gone == set(listed)


@dataclass(frozen=True, slots=True)
class Exploration:
    """Every order of so many changes and faults, on lists of `size` in pages of `limit`."""

    changes: int
    faults: int
    limit: int
    has_summaries: bool
    size: int = 3
    can_ask: bool = True
    has_totals: bool = True
    destinations: int = 3

    def worlds(self) -> Iterator[tuple[State, Sequence[tuple[int, Event]], Faults]]:
        """What is stored, what happens when, and what fails when."""
        names = NAMES[: self.size]
        helds: list[State] = [dict.fromkeys([*names[1:], "z"], 1), {}, dict.fromkeys(names, 1)]
        for events in schedules(self.changes, LAST_REQUEST):
            for moments in combinations(range(LAST_REQUEST + 1), self.faults):
                for faults in product(get_args(Fault), repeat=self.faults):
                    for held in helds[: self.destinations]:
                        yield held, events, tuple(zip(moments, faults, strict=True))


@pytest.mark.parametrize(
    "exploration",
    [
        Exploration(changes=1, faults=0, limit=1, has_summaries=True, size=4),
        Exploration(changes=1, faults=0, limit=2, has_summaries=False, size=4),
        Exploration(changes=1, faults=0, limit=2, has_summaries=True, has_totals=False),
        Exploration(changes=1, faults=0, limit=2, has_summaries=False, can_ask=False),
        Exploration(changes=1, faults=1, limit=2, has_summaries=False),
        pytest.param(
            Exploration(changes=2, faults=0, limit=2, has_summaries=True), marks=pytest.mark.slow
        ),
        pytest.param(
            Exploration(changes=1, faults=1, limit=2, has_summaries=True, size=4),
            marks=pytest.mark.slow,
        ),
        *map(
            by_hand,
            (
                Exploration(changes=2, faults=0, limit=1, has_summaries=True),
                Exploration(changes=2, faults=0, limit=1, has_summaries=False),
                Exploration(changes=2, faults=0, limit=2, has_summaries=False, size=4),
                Exploration(changes=2, faults=0, limit=2, has_summaries=True, has_totals=False),
                Exploration(changes=2, faults=0, limit=2, has_summaries=False, can_ask=False),
                Exploration(changes=1, faults=2, limit=2, has_summaries=False),
                Exploration(changes=3, faults=0, limit=2, has_summaries=True, destinations=1),
            ),
        ),
    ],
    ids=str,
)
def test_no_order_of_events_leads_to_a_false_certificate(exploration: Exploration) -> None:
    certified = 0
    for held, events, faults in exploration.worlds():
        course, listing = run(
            NAMES[: exploration.size],
            held,
            exploration.limit,
            events,
            faults,
            has_summaries=exploration.has_summaries,
            can_ask=exploration.can_ask,
            has_totals=exploration.has_totals,
        )
        certified += course.proof is not None
        assert wrongs(course, listing) == [], (held, events, faults)
    assert certified


def test_a_list_that_is_known_to_count_nothing_is_proved_by_two_sweeps() -> None:
    held = dict.fromkeys(NAMES, 1)

    course, listing = run(NAMES, held, 2, has_totals=False, is_counted=False)

    assert course.proof
    assert course.proof.kind == "agreement"
    assert [scan.records for scan in course.scans] == [4, 4]
    assert listing.held == held
