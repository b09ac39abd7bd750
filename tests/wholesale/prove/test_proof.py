"""A moment is proved by as many certain records as are counted, or by two readings that agree."""

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from wholesale.compare.ledger import Ledger, Sightings
from wholesale.prove.proof import Proof, by_agreement, by_count
from wholesale.prove.steps import Probe, Scan
from wholesale.tables.ids import KEY

DAWN = datetime(2026, 1, 1, tzinfo=UTC)


def at(step: int) -> datetime:
    return DAWN + timedelta(seconds=step)


def seen(ledger: Ledger, step: int, names: str) -> None:
    keys = np.array([name.encode() for name in names], KEY)
    ones = np.ones(len(names))
    ledger.note(
        step,
        Sightings(keys, ones.astype(np.int64), ones.astype(np.uint64), np.zeros(len(names), bool)),
    )


def ledger_of(*steps: tuple[int, str]) -> Ledger:
    ledger = Ledger()
    for step, names in steps:
        seen(ledger, step, names)
    return ledger


@pytest.mark.parametrize(
    ("steps", "total", "nameless", "is_proved"),
    [
        ([(1, "ab"), (3, "ab")], 2, 0, True),
        ([(1, "ab"), (3, "ba")], 3, 1, True),  # one without an id is counted too
        ([(1, "ab"), (3, "ab")], 3, 0, False),
        ([(1, "abc"), (3, "ab")], 3, 0, False),
        ([(1, "ab"), (3, "abc")], 3, 0, False),  # c may have come after the look
        ([(1, "ab"), (3, "ac")], 2, 0, False),
        ([(1, "ab"), (3, "ab")], None, 0, False),
    ],
)
def test_a_count_is_a_proof_where_so_many_were_seen_before_and_after_it(
    steps: list[tuple[int, str]], total: int | None, nameless: int, is_proved: bool
) -> None:
    proof = by_count(ledger_of(*steps), [Probe(2, at(2), total)], nameless)

    assert proof == (Proof("count", at(2), 3) if is_proved else None)


def test_the_latest_look_that_has_a_proof_is_the_moment() -> None:
    ledger = ledger_of((1, "ab"), (3, "ab"), (5, "ab"))
    looks = [Probe(2, at(2), 2), Probe(4, at(4), 2), Probe(6, at(6), 2)]

    assert by_count(ledger, looks) == Proof("count", at(4), 5)


def test_a_list_in_one_answer_is_its_own_proof() -> None:
    assert by_count(Ledger(), [Probe(1, at(1), 2, is_whole=True)]) == Proof("count", at(1), 1)


def scan(step: int, **more: Any) -> Scan:
    defaults: dict[str, Any] = {
        "records": 25,
        "duplicates": 0,
        "fingerprint": 7,
        "page_size": 10 - step,
        "totals": None,
    }
    return Scan(step, at(step), **(defaults | more))


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ({}, {"records": 24}),
        ({}, {"fingerprint": 8}),
        ({}, {"page_size": 9}),
        ({}, {"fault": "page 2 repeats page 1"}),
        ({"fault": "page 2 repeats page 1"}, {}),
        ({"totals": (26, 26)}, {"totals": (26, 26)}),  # there is more than the list shows
        ({"totals": (26, 30)}, {"totals": (26, 28)}),
    ],
)
def test_two_sweeps_that_differ_or_are_contradicted_prove_nothing(
    earlier: dict[str, Any], later: dict[str, Any]
) -> None:
    assert by_agreement([scan(1, **earlier), scan(2, **later)], []) is None
    assert by_agreement([scan(2, **later)], []) is None


@pytest.mark.parametrize(
    "totals",
    [None, (24, 24), (24, 27), (20, 25)],
    ids=["none", "too low", "wobbling", "wobbling below"],
)
def test_two_sweeps_that_agree_are_a_proof_where_totals_are_no_use(
    totals: tuple[int, int] | None,
) -> None:
    sweeps = [scan(1, totals=totals), scan(2, totals=totals)]

    assert by_agreement(sweeps, []) == Proof("agreement", at(2), 2)
    assert by_agreement([scan(1, fingerprint=1), *sweeps], []) == Proof("agreement", at(2), 2)


def test_a_look_that_counts_more_is_believed() -> None:
    looks = [Probe(3, at(3), 26), Probe(4, at(4), None)]

    assert by_agreement([scan(1), scan(2)], looks) is None
