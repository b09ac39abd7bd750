"""The ledger tells what was seen of each record and when, whatever came in whatever order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wholesale.compare import sorted_runs
from wholesale.compare.ledger import BEFORE, NO_STATE, Ledger, Sightings
from wholesale.compare.versions import NO_VERSION
from wholesale.tables.ids import KEY, Keys

Shown = Mapping[str, tuple[int, int]]
"""Version and state by name."""


def keys(names: Sequence[str]) -> Keys:
    return np.array([name.encode() for name in names], KEY)


def names(found: Keys) -> list[str]:
    return [key.decode() for key in found.tolist()]


def seen(shown: Shown, stored: Sequence[str] = ()) -> Sightings:
    return Sightings(
        keys(list(shown)),
        np.array([version for version, _ in shown.values()], np.int64),
        np.array([state for _, state in shown.values()], np.uint64),
        np.array([name in stored for name in shown], np.bool_),
    )


def test_a_record_is_certain_at_a_step_between_two_that_showed_it() -> None:
    ledger = Ledger()
    ledger.note(1, seen({"a": (1, 1), "b": (1, 1)}))
    ledger.note(3, seen({"a": (1, 1), "c": (1, 1)}))

    assert [ledger.certain(step) for step in (1, 2, 3)] == [0, 1, 0]


def test_a_list_goes_back_where_a_sweep_shows_only_older_versions_than_an_earlier_step() -> None:
    ledger = Ledger()
    ledger.note(1, seen({"a": (2, 1), "b": (2, 1)}))
    ledger.take(2, seen({"a": (9, 2), "new": (9, 2)}))
    ledger.note(3, seen({"a": (2, 1), "b": (2, 1), "new": (5, 1)}))
    ledger.note(3, seen({"b": (1, 1)}))
    ledger.end_scan(3)
    assert ledger.went_back == 0

    for step in (4, 5):
        ledger.note(step, seen({"a": (1, 1), "b": (0, int(NO_STATE)), "new": (4, 1)}))
        ledger.end_scan(step)

    assert ledger.went_back == 2


def test_a_list_that_shows_an_older_version_beside_the_newer_does_not_go_back() -> None:
    ledger = Ledger()
    for look, scan in ((1, 2), (3, 4)):
        ledger.note(look, seen({"a": (look, 1)}))
        ledger.note(scan, seen({"a": (1, 1)}))
        ledger.note(scan, seen({"a": (3, 1)}))
        ledger.end_scan(scan)

    assert ledger.went_back == 0


def test_what_was_stored_as_alive_was_seen_before_the_run() -> None:
    ledger = Ledger()
    ledger.note(2, seen({"a": (1, 1), "new": (1, 1)}, stored=["a"]))

    assert (ledger.certain(1), ledger.certain(2)) == (1, 0)


def test_it_is_known_who_was_seen_when_and_who_was_not() -> None:
    ledger = Ledger()
    ledger.note(1, seen({"b": (1, 1), "a": (1, 1)}))
    ledger.note(2, seen({"b": (1, 1)}))

    assert ledger.last_seen(keys(["a", "b", "c"])).tolist() == [1, 2, BEFORE]
    assert names(ledger.not_seen_since(2)) == ["a"]
    assert names(ledger.seen_since(2, 5)) == ["b"]
    assert names(ledger.seen_since(1, 1)) == ["a"]
    assert names(ledger.seen_since(3, 1)) == []
    assert (names(ledger.alive()), len(ledger)) == (["a", "b"], 2)


def test_a_record_is_the_first_of_its_step_once() -> None:
    ledger = Ledger()

    assert ledger.note(1, seen({"a": (1, 1), "b": (1, 1)})).is_first.tolist() == [True, True]
    assert ledger.note(1, seen({"b": (1, 1), "c": (1, 1)})).is_first.tolist() == [False, True]
    assert ledger.note(2, seen({"b": (1, 1)})).is_first.tolist() == [True]


@pytest.mark.parametrize(
    ("first", "second", "is_newer"),
    [
        ((1, 1, 5), (1, 2, 6), True),
        ((1, 2, 5), (1, 1, 6), False),  # answers of a step overlap: the version decides
        ((1, 2, 5), (1, 2, 6), True),
        ((1, NO_VERSION, 5), (1, NO_VERSION, 6), True),
        ((1, 2, 5), (2, 1, 6), True),  # what came in a later step is the newer evidence
        ((1, 1, 5), (2, 1, int(NO_STATE)), False),  # it says nothing but that the record is there
    ],
)
def test_of_several_states_the_newest_by_evidence_is_kept(
    first: tuple[int, int, int], second: tuple[int, int, int], is_newer: bool
) -> None:
    ledger = Ledger()
    for step, version, state in (first, second):
        ledger.note(step, seen({"a": (version, state)}))
    newest = second if is_newer else first

    assert ledger.is_confirmed(seen({"a": (NO_VERSION, newest[2])})).tolist() == [True]
    assert ledger.is_confirmed(seen({"a": (NO_VERSION, 9)})).tolist() == [False]
    assert ledger.last_seen(keys(["a"])).tolist() == [second[0]]


def test_a_record_is_due_until_it_is_held_as_it_was_seen_last() -> None:
    ledger = Ledger()
    shown = seen({"a": (1, 5), "b": (1, 6), "c": (1, 7)})

    noted = ledger.note(1, shown, np.array([True, False, False]))
    assert noted.is_due.tolist() == [False, True, True]
    assert names(ledger.due()) == ["b", "c"]

    taken = ledger.take(2, seen({"b": (1, 6), "c": (1, 8)}))
    assert (taken.is_due.tolist(), taken.is_late.tolist()) == ([True, True], [False, False])
    assert ledger.is_read(keys(["a", "b", "c", "d"])).tolist() == [False, True, True, False]
    assert names(ledger.due()) == []

    ledger.note(3, seen({"a": (2, 5), "b": (2, 9)}))
    assert names(ledger.due()) == ["b"]
    taken = ledger.take(4, seen({"b": (2, 9), "a": (2, 5), "new": (1, 1)}))
    assert taken.is_due.tolist() == [True, False, True]
    assert taken.is_late.tolist() == [True, False, False]


def test_what_was_read_by_this_run_is_not_held_as_it_was_stored() -> None:
    ledger = Ledger()
    ledger.note(1, seen({"a": (1, 5)}))
    ledger.take(2, seen({"a": (2, 6)}))

    ledger.note(3, seen({"a": (1, 5)}), np.array([True]))

    assert names(ledger.due()) == ["a"]


@pytest.mark.parametrize(
    ("read", "is_due"),
    [
        ((2, 7), False),  # as it was seen
        ((2, 8), True),  # otherwise, in the same version: the newer one is either
        ((1, 8), False),  # an older version
        ((3, 8), False),  # a newer one, which is stored
    ],
)
def test_a_record_in_full_that_contradicts_what_was_seen_puts_what_is_held_in_doubt(
    read: tuple[int, int], is_due: bool
) -> None:
    ledger = Ledger()
    ledger.note(1, seen({"a": (2, 7)}), np.array([True]))

    ledger.doubt(seen({"a": read, "unknown": (1, 1)}))

    assert names(ledger.due()) == (["a"] if is_due else [])


def test_a_record_that_nothing_was_said_of_is_due() -> None:
    ledger = Ledger()
    ledger.note(1, seen({"a": (1, 5)}).without_states(np.True_))

    assert names(ledger.due()) == ["a"]
    assert ledger.is_confirmed(seen({"a": (1, 5)})).tolist() == [True]


@pytest.mark.parametrize(
    ("body", "is_current", "is_confirmed"),
    [
        ((2, 5), True, True),
        ((2, 6), True, False),  # of the same version, and it says otherwise
        ((3, 6), True, True),
        ((1, 5), False, True),
        ((1, 6), False, False),
        ((NO_VERSION, 6), False, False),
    ],
)
def test_a_record_in_full_must_not_be_older_than_what_was_seen_of_it(
    body: tuple[int, int], is_current: bool, is_confirmed: bool
) -> None:
    ledger = Ledger()
    ledger.note(1, seen({"a": (2, 5)}))
    sightings = seen({"a": body, "never seen": (NO_VERSION, 1)})

    assert ledger.is_current(sightings).tolist() == [is_current, True]
    assert ledger.is_confirmed(sightings).tolist() == [is_confirmed, True]


@dataclass
class Plain:
    """The same in dictionaries."""

    first: dict[str, int] = field(default_factory=dict)
    last: dict[str, int] = field(default_factory=dict)
    newest: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    held: dict[str, int] = field(default_factory=dict)

    def see(self, step: int, name: str, version: int, state: int) -> None:
        self.first.setdefault(name, step)
        self.last[name] = step
        before = self.newest.get(name)
        if before is None or step > before[0] or version >= before[1]:
            self.newest[name] = (step, version, state)


shown = st.dictionaries(
    st.sampled_from("abcdefgh"), st.tuples(st.integers(0, 3), st.integers(1, 4))
)


@given(st.lists(st.tuples(st.integers(0, 1), st.booleans(), shown), max_size=12))
def test_it_agrees_with_dictionaries_after_any_sightings(
    events: list[tuple[int, bool, dict[str, tuple[int, int]]]],
) -> None:
    ledger, plain, step = Ledger(), Plain(), 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorted_runs, "MAX_MERGED", 4)
        patch.setattr(sorted_runs, "MAX_SEARCHED", 3)
        for on, is_body, records in events:
            step += on
            (ledger.take if is_body else ledger.note)(step, seen(records))
            for name, (version, state) in records.items():
                plain.see(step, name, version, state)
                if is_body:
                    plain.held[name] = state

    everybody = sorted(plain.first)
    assert names(ledger.alive()) == everybody
    assert ledger.last_seen(keys(everybody)).tolist() == [plain.last[name] for name in everybody]
    assert names(ledger.due()) == [
        name for name in everybody if plain.held.get(name) != plain.newest[name][2]
    ]
    for at in range(1, step + 1):
        assert ledger.certain(at) == sum(plain.first[n] < at < plain.last[n] for n in everybody)
        assert names(ledger.not_seen_since(at)) == [n for n in everybody if plain.last[n] < at]


def test_what_goes_to_the_destination_in_a_lesser_state_stays_due() -> None:
    ledger = Ledger()
    assert [ledger.next_step(), ledger.next_step()] == [1, 2]
    ledger.note(1, seen({"a": (1, 1), "b": (1, 1)}))

    ledger.hold(seen({"a": (1, 7), "never seen": (1, 7)}))

    assert names(ledger.due()) == ["a", "b"]
    assert ledger.is_read(keys(["a", "b"])).tolist() == [True, False]


def test_what_contradicts_what_was_seen_last_in_the_same_version_is_due_again() -> None:
    ledger = Ledger()
    ledger.take(1, seen({"same": (1, 1), "other": (1, 1), "older": (2, 1)}))
    assert names(ledger.due()) == []

    ledger.doubt(seen({"same": (1, 1), "other": (1, 2), "older": (1, 2)}))

    assert names(ledger.due()) == ["other"]


def test_all_that_did_not_come_in_full_is_due_where_versions_tell_nothing() -> None:
    ledger = Ledger()
    ledger.note(1, seen({"a": (1, 1), "b": (1, 1)}), np.array([True, True]))
    ledger.take(2, seen({"a": (1, 1)}))
    assert names(ledger.due()) == []

    ledger.doubt_all_not_read()

    assert names(ledger.due()) == ["b"]
