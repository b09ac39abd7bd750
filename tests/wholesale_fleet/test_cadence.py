"""Cadence: an account is due by what its warehouse certifies, and by how its last command ended."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from wholesale_elt.inspect.status import Overview, Status
from wholesale_elt.process.journal import JournalEntry, State
from wholesale_fleet.accounts import Account
from wholesale_fleet.cadence import is_unpublished, next_due, seen_to

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
HOURLY = Account(name="acme", service={}, every_hours=1, resources=("orders", "variants"))


def status(
    resource: str, hours_ago: float = 0, verdict: str | None = "complete", *, is_ahead: bool = False
) -> Status:
    return Status(
        resource=resource,
        rows=1,
        last_run_at=NOON - timedelta(hours=hours_ago) if verdict else None,
        verdict=verdict,
        reason=None,
        complete_as_of=None if is_ahead else NOON - timedelta(hours=hours_ago),
        proof=None,
        open_suspects=0,
        lag_seconds=None,
        audited=0,
        silent=None,
    )


def entry(state: State = "ended", code: int | None = 0, command: str = "run") -> JournalEntry:
    return JournalEntry(command, "1 on here", NOON, NOON, code, "why", state)


def overview(*resources: Status, runs: Sequence[JournalEntry] = ()) -> Overview:
    return Overview("acme.duckdb", NOON, runs, resources)


@pytest.mark.parametrize(
    ("resources", "child_hours", "due"),
    [
        ([status("orders"), status("variants")], 0, NOON + timedelta(minutes=54)),
        ([status("orders", 0.5), status("variants")], 0, NOON + timedelta(minutes=24)),
        ([status("orders"), status("variants", 5)], 6, NOON + timedelta(minutes=54)),
        ([status("orders"), status("variants", 5)], 0, NOON - timedelta(hours=4, minutes=6)),
        ([status("orders"), status("variants"), status("items", verdict=None)], 0, "as first"),
        ([status("orders", verdict="incomplete"), status("variants")], 0, None),
        ([status("orders", -9600, is_ahead=True), status("variants")], 0, None),
        ([status("orders", verdict=None), status("variants", verdict=None)], 0, None),
    ],
)
def test_it_is_due_a_cadence_after_the_oldest_of_what_it_loads_was_read(
    resources: list[Status], child_hours: float, due: datetime | str | None
) -> None:
    expected = NOON + timedelta(minutes=54) if due == "as first" else due

    assert next_due(HOURLY, overview(*resources), child_hours) == expected


@pytest.mark.parametrize(
    ("runs", "is_due"),
    [
        ([entry()], False),
        ([entry("running", None), entry()], False),
        ([entry(code=1), entry()], True),
        ([entry("running", None), entry(code=3)], True),
        ([entry("killed", None)], True),
    ],
)
def test_it_is_due_at_once_where_its_last_command_did_not_end_well(
    runs: list[JournalEntry], is_due: bool
) -> None:
    found = overview(status("orders"), status("variants"), runs=runs)

    assert (next_due(HOURLY, found, 0) is None) == is_due


@pytest.mark.parametrize(
    ("runs", "pause"),
    [
        ([3, 3], 0.25),
        ([2, 2, 0], 0.25),
        ([1, "running", 3], 0.25),
        ([1, 3, 2], 0.5),
        ([3] * 5, 2),
        ([3] * 10, 24),
        ([3, "killed", 3], None),
        ([3, "in use"], None),
        ([3, 0, 3, 3], None),
    ],
)
def test_after_several_failures_in_a_row_it_pauses_for_longer_each_time(
    runs: Sequence[int | str], pause: float | None
) -> None:
    entries: list[JournalEntry] = []
    for number, end in enumerate(runs):
        at = NOON - timedelta(hours=number)
        code = end if isinstance(end, int) else 1
        state: State = "running" if end == "running" else "killed" if end == "killed" else "ended"
        known = JournalEntry("sync", "1 on here", at, at, code, "why", state, end == "in use")
        entries.append(known)
    found = overview(status("orders", verdict="incomplete"), status("variants"), runs=entries)

    due = next_due(HOURLY, found, 0)

    assert due == (None if pause is None else NOON + timedelta(hours=pause))


def test_it_is_seen_to_by_whoever_is_at_it_or_was_since_then() -> None:
    before, after = NOON - timedelta(seconds=1), NOON + timedelta(seconds=1)
    running, other, done = entry("running", None), entry(command="publish"), entry(code=3)

    refused = JournalEntry("run", "2 on here", after, after, 1, "another run is at work", "ended")
    longer = JournalEntry("run", "1 on here", NOON, after + timedelta(seconds=1), 0, None, "ended")
    assert seen_to(overview(runs=[other, running]), "run", after) is running
    assert seen_to(overview(runs=[refused, longer]), "run", before) is longer
    assert seen_to(overview(runs=[other, done]), "run", before) is done
    assert seen_to(overview(runs=[done]), "run", after) is None
    assert seen_to(overview(runs=[other, entry("killed", None)]), "run", before) is None


@pytest.mark.parametrize(
    ("commands", "is_behind"),
    [
        ((), False),
        (("run",), False),
        (("sync",), True),
        (("run", "sync"), True),
        (("sync", "run"), False),
        (("sync", "build"), True),
        (("sync", "publish"), True),
        (("sync", "build", "publish"), False),
        (("sync", "publish", "build"), True),
        (("sync", "build", "publish", "sync"), True),
    ],
)
def test_what_was_synced_is_behind_until_it_is_built_and_published(
    commands: Sequence[str], is_behind: bool
) -> None:
    runs = [
        JournalEntry(command, "1", at, at, 0, state="ended")
        for number, command in enumerate(commands)
        for at in [NOON + timedelta(minutes=number)]
    ]
    failed = [JournalEntry("sync", "1", NOON + timedelta(hours=1), None, 1, "why", "ended")]

    assert is_unpublished(overview(status("orders"), runs=runs[::-1])) is is_behind
    assert is_unpublished(overview(status("orders"), runs=[*failed, *runs])) is is_behind
