"""Rounds: whatever a process comes to is told of its account, and stops no other."""

import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from wholesale_elt.inspect import Overview
from wholesale_elt.process import MOST_SECONDS, JournalEntry
from wholesale_elt.process.journal import State
from wholesale_fleet import children, rounds
from wholesale_fleet.accounts import Account, Fleet
from wholesale_fleet.hosts import Hosts
from wholesale_fleet.standing import AccountStanding
from wholesale_fleet.summary import AccountSummary, FleetSummary

PLAYED = """
import json, os, signal, sys, time

words = sys.argv[1:]
name = words[words.index("--database") + 1].rpartition("/")[2].partition(".")[0]

def note(what):
    with open("log", "a") as log:
        log.write(f"{name} {what}\\n")

def end(code, result, error=None):
    row = {"requests": 3, "new": 2, "changed": None, "deleted": 1,
           "complete_as_of": "2026-06-01T12:00:00Z"}
    print(json.dumps({"result": result, "error": error, "sync": {"resources": [row, row]},
                      "publish": {"version": "v1"}}))
    if error:
        print(f"wholesale: {error}", file=sys.stderr)
    note("ends")
    sys.exit(code)

note("begins")
if name.startswith("good"):
    patience = time.monotonic() + 600
    while open("log").read().count("begins") < int(os.environ.get("AT_ONCE", "1")):
        assert time.monotonic() < patience
        time.sleep(0.01)
    time.sleep(0.2)
    end(0, "complete")
if name == "doubtful":
    print("WARNING wholesale.http: a retry", file=sys.stderr)
    end(3, "incomplete", "orders is not certified complete")
if name == "stranger":
    end(2, "misconfigured", "the key is refused")
if name == "taken":
    end(1, "in use", "another run is at work")
if name == "mute":
    print("wholesale: no room", file=sys.stderr)
    sys.exit(1)
if name == "crash":
    os.kill(os.getpid(), signal.SIGSEGV)
time.sleep(600)
"""


@pytest.fixture(autouse=True)
def _played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(children, "GRACE", 1.0)
    monkeypatch.setattr(children, "COMMAND", (sys.executable, "-S", "-c", PLAYED))


def account(name: str, host: str | None = None, minutes: float = 60) -> Account:
    base_url = f"https://{host or name}.test/api/external/v1"
    return Account(name=name, service={"base_url": base_url}, most_minutes=minutes)


def fleet(*accounts: Account, **limits: int) -> Fleet:
    hosts = {f"{host}.test": limit for host, limit in limits.items()}
    return Fleet(accounts=accounts, host_limits=hosts)


def go_through(
    of: Fleet, *, at_once: int = 4, is_now: bool = True
) -> tuple[FleetSummary, dict[str, list[str]]]:
    """What a round comes to, and what was told of accounts besides."""
    told: dict[str, list[str]] = {}
    summary = FleetSummary(command="sync")
    for end in rounds.run_round(
        of,
        of.accounts,
        ["sync"],
        at_once=at_once,
        is_now=is_now,
        tell=lambda name, lines: told.setdefault(name, []).extend(lines),
    ):
        summary.accounts.append(end)
    return summary, told


def test_each_end_of_a_process_is_told_of_its_account(tmp_path: Path) -> None:
    names = ("good", "doubtful", "stranger", "taken", "mute", "crash")
    summary, told = go_through(fleet(*map(account, names), account("silent", minutes=0.01)))
    found = {end.account: (end.result, end.exit_code, end.error) for end in summary.accounts}

    assert found == {
        "good": ("complete", 0, None),
        "doubtful": ("incomplete", 3, "orders is not certified complete"),
        "stranger": ("misconfigured", 2, "the key is refused"),
        "taken": ("in use", 1, "another run is at work"),
        "mute": ("failed", 1, "no room"),
        "crash": ("failed", 1, "its process was ended by SIGSEGV, not by itself"),
        "silent": (
            "failed",
            1,
            "stopped, as it took longer than 0.01 minutes; what was loaded is whole, and the next"
            " run goes on: see `most_minutes`",
        ),
    }
    assert told["doubtful"] == ["WARNING wholesale.http: a retry"]
    assert {name for name, lines in told.items() if lines} == {"doubtful"}
    assert summary.worst == 1
    assert summary.faults == (
        "of 7 accounts failed: crash, mute, silent; incomplete: doubtful; misconfigured: stranger"
    )


def test_a_summary_holds_what_the_run_of_an_account_came_to() -> None:
    [end] = go_through(fleet(account("good")))[0].accounts

    assert end.model_dump(exclude={"started_at", "ended_at"}) == {
        "account": "good",
        "result": "complete",
        "exit_code": 0,
        "error": None,
        "process": None,
        "due_at": None,
        "requests": 6,
        "new": 4,
        "changed": 0,
        "deleted": 2,
        "complete_as_of": datetime(2026, 6, 1, 12, tzinfo=UTC),
        "version": "v1",
    }


@pytest.mark.parametrize(
    ("results", "worst"),
    [
        ([], 0),
        ([("complete", 0), ("in use", 1), ("not due", 0)], 0),
        ([("incomplete", 3), ("complete", 0)], 3),
        ([("incomplete", 3), ("misconfigured", 2)], 2),
        ([("incomplete", 3), ("misconfigured", 2), ("failed", 1)], 1),
    ],
)
def test_one_exit_code_follows_from_all(results: list[tuple[str, int]], worst: int) -> None:
    accounts = [
        AccountSummary.model_validate({"account": "a", "result": result, "exit_code": code})
        for result, code in results
    ]

    assert FleetSummary(command="run", accounts=accounts).worst == worst


@pytest.mark.parametrize(("limit", "is_apart"), [(1, True), (2, False)])
def test_accounts_of_a_host_run_one_after_the_other_unless_it_may_be_more(
    limit: int, is_apart: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AT_ONCE", str(limit + 1))  # nobody ends before these have begun
    both = (account("good_a", "shared"), account("good_b", "shared"))
    go_through(fleet(*both, account("good_c"), shared=limit), at_once=3)
    lines = (tmp_path / "log").read_text().splitlines()
    of_shared = [line.split()[1] for line in lines if not line.startswith("good_c")]

    assert (of_shared == ["begins", "ends", "begins", "ends"]) == is_apart
    assert lines[1].endswith("begins")


def test_a_place_at_a_host_is_held_by_the_process_that_outlives_its_worker(tmp_path: Path) -> None:
    hosts = Hosts(tmp_path, {})
    slot = hosts.take("a.test:80")
    assert slot
    with subprocess.Popen(["sleep", "600"], pass_fds=(slot.descriptor,)) as orphan:
        slot.held.close()
        assert hosts.take("a.test:80") is None
        orphan.kill()
    again = hosts.take("a.test:80")
    assert again
    again.held.close()


def test_what_another_worker_does_or_has_done_is_left_to_it() -> None:
    of = fleet(account("good_a"), account("good_b"), account("good_c"))
    journal_of = {one.name: of.warehouse(one).journal for one in of.accounts}

    def do_meanwhile(name: str, _: Sequence[str]) -> None:
        assert name == "good_a"
        with journal_of["good_b"].note("sync") as entry:
            entry.exit_code, entry.message = 3, "1 record in quarantine"

    with journal_of["good_c"].note("sync") as running:
        ends = list(
            rounds.run_round(of, of.accounts, ["sync"], at_once=1, is_now=True, tell=do_meanwhile)
        )
    found = [(end.account, end.result, end.exit_code, end.error, end.process) for end in ends]

    assert found == [
        ("good_a", "complete", 0, None, None),
        ("good_b", "incomplete", 3, "1 record in quarantine", running.process),
        ("good_c", "in use", 0, None, running.process),
    ]


def test_who_is_not_due_is_left_unless_all_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    tomorrow = datetime(2100, 1, 1, tzinfo=UTC)
    monkeypatch.setattr(rounds, "read_standing", lambda _, of: AccountStanding(of, due_at=tomorrow))
    [left] = go_through(fleet(account("good")), is_now=False)[0].accounts
    [done] = go_through(fleet(account("good")), is_now=True)[0].accounts

    assert (left.result, left.due_at, left.started_at) == ("not due", tomorrow, None)
    assert done.result == "complete"


@pytest.mark.parametrize(("command", "result"), [("run", "complete"), ("sync", "not due")])
def test_who_was_only_synced_is_due_for_a_run(
    monkeypatch: pytest.MonkeyPatch, command: str, result: str
) -> None:
    now = datetime.now(UTC)
    synced = JournalEntry("sync", "1 on here", now, now, 0, state="ended")
    overview = Overview("good.duckdb", now, [synced], [])
    tomorrow = now + timedelta(days=1)
    monkeypatch.setattr(
        rounds, "read_standing", lambda _, of: AccountStanding(of, overview, due_at=tomorrow)
    )
    monkeypatch.setattr(rounds, "seen_to", lambda *_: None)
    of = fleet(account("good"))

    [end] = rounds.run_round(
        of, of.accounts, [command], at_once=1, is_now=False, tell=lambda name, lines: None
    )

    assert end.result == result


def test_who_stops_a_worker_stops_its_processes(tmp_path: Path) -> None:
    of = fleet(account("silent"), account("good"))
    begun = rounds.run_round(
        of, of.accounts, ["sync"], at_once=2, is_now=True, tell=lambda *_: None
    )
    with closing(begun):
        assert next(begun).account == "good"
        slot = of.hosts.take("silent.test")
        assert slot is None
    slot = of.hosts.take("silent.test")
    assert slot
    slot.held.close()
    assert "silent ends" not in (tmp_path / "log").read_text()


def test_an_account_waits_for_others_at_its_host_says_so_and_gives_up_in_the_end() -> None:
    late, other = account("good_late", "shared", minutes=0.005), account("good_b")
    of = fleet(late, other)
    held = of.hosts.take(late.host)
    assert held

    with held.held:
        summary, told = go_through(of)

    found = {end.account: (end.result, end.exit_code) for end in summary.accounts}
    assert found == {"good_b": ("complete", 0), "good_late": ("failed", 1)}
    assert late.host in told["good_late"][0]
    assert late.host in str(next(end.error for end in summary.accounts if end.exit_code))


def test_an_account_goes_on_when_the_others_at_its_host_have_ended() -> None:
    late = account("good_late", "shared", minutes=10)
    of = fleet(late)
    held = of.hosts.take(late.host)
    assert held
    told: list[str] = []

    def tell(name: str, lines: Sequence[str]) -> None:
        if lines:
            told.append(name)
            held.held.close()

    begun = rounds.run_round(of, of.accounts, ["sync"], at_once=1, is_now=True, tell=tell)
    (end,) = begun

    assert (end.result, told) == ("complete", ["good_late"])


@pytest.mark.parametrize("minutes", [0.5, 360])
def test_a_process_is_told_how_long_it_may_take(
    minutes: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that it ends in its time, also where the worker that watches it is gone."""
    show = f"import json, os; print(json.dumps({{'error': os.environ['{MOST_SECONDS}']}}))"
    monkeypatch.setattr(children, "COMMAND", (sys.executable, "-S", "-c", show))

    [end] = go_through(fleet(account("one", minutes=minutes)))[0].accounts

    assert float(str(end.error)) == 60 * minutes


@pytest.mark.parametrize(
    ("states", "trouble"),
    [
        (["killed"], "killed, or the machine went down"),
        (["running", "killed"], "killed, or the machine went down"),
        (["ended", "killed"], None),
        (["running"], None),
    ],
)
def test_an_account_whose_last_command_was_killed_is_in_trouble(
    states: list[State], trouble: str | None
) -> None:
    now = datetime.now(UTC)
    runs = [
        JournalEntry("run", "1", now, None, 0 if state == "ended" else None, state=state)
        for state in states
    ]

    standing = AccountStanding(account("good"), Overview("good.duckdb", now, runs, []))

    assert standing.trouble == trouble


def test_of_an_account_that_failed_it_is_told_up_to_when_it_is_complete() -> None:
    now = datetime.now(UTC)
    failed = children.Ended(account("down"), 1, {}, "the service is down", (), now, now)

    assert AccountSummary.of(failed, now).complete_as_of == now
