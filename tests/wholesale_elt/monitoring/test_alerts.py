"""Somebody is told of what is wrong once, of each thing, and when all of it is over."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

from wholesale_elt.inspect.status import Overview, Status
from wholesale_elt.monitoring.alerts import KILLED, Alert, news, open_alerts, worst
from wholesale_elt.process.journal import JournalEntry, State

NOW = datetime(2026, 3, 1, 6, tzinfo=UTC)


def ended(command: str, code: int, message: str | None = None, hour: int = 6) -> JournalEntry:
    at = NOW.replace(hour=hour)
    return JournalEntry(command, "1 on a", at - timedelta(minutes=9), at, code, message, "ended")


def unended(command: str, state: State) -> JournalEntry:
    return JournalEntry(command, "1 on a", NOW, state=state)


def status(resource: str, hours: float | None) -> Status:
    return Status(
        resource=resource,
        rows=1,
        last_run_at=NOW,
        verdict="complete",
        reason=None,
        complete_as_of=None if hours is None else NOW - timedelta(hours=hours),
        proof=None,
        open_suspects=0,
        lag_seconds=None if hours is None else int(hours * 3600),
        audited=0,
        silent=None,
    )


def overview(*runs: JournalEntry, **lags: float | None) -> Overview:
    return Overview("w", NOW, runs, [status(name, hours) for name, hours in lags.items()])


first_news = partial(news, sent={}, now=NOW)


def test_how_each_command_ended_last_is_what_counts() -> None:
    failed = ended("sync", 1, "no answer")

    assert open_alerts(overview(failed), None) == [
        Alert("failed", "sync", "no answer", failed.ended_at)
    ]
    assert open_alerts(overview(ended("sync", 3, "in quarantine")), None) == [
        Alert("incomplete", "sync", "in quarantine", NOW)
    ]
    assert open_alerts(overview(ended("sync", 0), failed), None) == []
    assert open_alerts(overview(unended("sync", "running"), failed), None)[0].severity == "failed"
    assert open_alerts(overview(unended("sync", "killed")), None) == [
        Alert("failed", "sync", KILLED, NOW)
    ]


def test_a_command_that_found_another_run_at_work_is_no_news_and_hides_none() -> None:
    in_use = replace(ended("run", 1, "another run is at work"), is_in_use=True)
    failed = ended("run", 1, "no answer")

    assert open_alerts(overview(in_use), None) == []
    assert open_alerts(overview(in_use, ended("run", 0)), None) == []
    assert open_alerts(overview(in_use, failed), None) == [
        Alert("failed", "run", "no answer", failed.ended_at)
    ]


def test_a_run_that_went_well_makes_up_for_a_sync_a_build_and_a_publication() -> None:
    before = (ended("publish", 1), ended("build", 1), ended("sync", 2))

    assert [alert.subject for alert in open_alerts(overview(*before), None)] == [
        *("publish", "build", "sync"),
    ]
    assert open_alerts(overview(ended("run", 0), *before), None) == []
    assert [a.subject for a in open_alerts(overview(ended("sync", 0), *before), None)] == [
        *("publish", "build"),
    ]


def test_a_resource_is_stale_by_the_proof_that_it_has() -> None:
    found = open_alerts(overview(orders=25, vendors=23, items=None), 24)

    assert [(alert.subject, alert.since) for alert in found] == [
        ("orders", NOW - timedelta(hours=25)),
        ("items", None),
    ]
    assert open_alerts(overview(orders=25), None) == []


def test_each_thing_is_told_once_and_again_when_it_came_back() -> None:
    failed = Alert("failed", "run", "GET /orders got no usable response in 6 attempts, 21 s")
    later = Alert("failed", "run", "GET /orders got no usable response in 6 attempts, 22 s")
    stale = Alert("stale", "orders", "orders was not proved complete within 24 hours")
    sent = {failed.key: failed.message}

    assert first_news([failed]) == [failed]
    assert news([later], sent, NOW) == []
    assert news([later, stale], sent, NOW) == [stale]
    assert first_news([]) == []


def test_the_end_of_all_that_was_told_is_told() -> None:
    assert news([], {"failed: run": "no answer", "stale: orders": "is old"}, NOW) == [
        Alert("recovered", "all", "over: no answer; is old", NOW)
    ]


def test_the_worst_is_what_the_whole_is_called() -> None:
    found = [Alert("recovered", "all", ""), Alert("stale", "a", ""), Alert("stale", "b", "")]
    assert worst(found) == found[1]
    assert worst([*found, Alert("incomplete", "c", "")]) == Alert("incomplete", "c", "")
