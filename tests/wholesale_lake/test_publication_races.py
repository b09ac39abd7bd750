"""Of runs that publish into one catalogue at once, none mixes its tables with those of another."""

import itertools
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pyiceberg.table import Table

import wholesale_elt.publish.publisher as publishing
from support.warehouses import handmade
from support.warehouses.desks import Lake, files_of
from wholesale.errors import WholesaleError
from wholesale_elt.process import AlreadyRunning
from wholesale_lake.iceberg import staging


@pytest.mark.slow
def test_two_runs_at_once_do_not_mix_and_the_one_that_is_overtaken_says_so(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Lake(tmp_path / "theirs")
    lake.build(1)
    lake.publish()
    lake.build(2)
    other.build(3)
    stage, turns = staging.stage, itertools.count()

    def stage_late(*args: Any) -> int:
        if next(turns) == 2:
            other.publish()
        return stage(*args)

    monkeypatch.setattr("wholesale_lake.publication.stage", stage_late)
    with pytest.raises(AlreadyRunning, match="another run publishes into iceberg:lake at the same"):
        lake.publish()
    assert lake.numbers() == lake.numbers(None) == {3}
    assert [lake.numbers(version) for version in (0, 1)] == [{1}, {3}]

    assert lake.publish().result == "published"
    assert [lake.numbers(version) for version in (0, 1)] == [{3}, {2}]
    there, named = files_of(lake, tmp_path / "lake")
    assert there == named


@pytest.mark.slow
def test_a_run_that_has_nothing_to_publish_takes_nothing_from_one_that_publishes(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    idle = Lake(tmp_path / "idle")
    for number in (1, 2):
        lake.build(number)
        lake.publish()
    idle.build(2)
    lake.build(3)
    stage, results = staging.stage, []

    def stage_beside(*args: Any) -> int:
        snapshot = stage(*args)
        results.append(idle.publish().result)
        return snapshot

    monkeypatch.setattr("wholesale_lake.publication.stage", stage_beside)
    lake.publish()
    assert results == ["already published"] * len(handmade.TABLES)
    assert [lake.numbers(version) for version in (0, 1)] == [{2}, {3}]
    assert lake.numbers(None) == {3}


def test_a_run_that_looked_before_another_one_published_is_refused(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Lake(tmp_path / "theirs")
    lake.build(1)
    other.build(2)

    lake.publish()
    is_whole = staging.is_whole
    turns = itertools.count()

    def is_whole_late(table: Table, snapshot_id: int) -> bool:
        if next(turns) == 0:
            other.publish()
        return is_whole(table, snapshot_id)

    lake.change("update wholesale_bi.rpt_headlines set number = 3")
    monkeypatch.setattr("wholesale_lake.publication.is_whole", is_whole_late)
    with pytest.raises(AlreadyRunning):
        lake.publish()
    assert lake.numbers() == lake.numbers(None) == {2}


def test_a_clock_that_is_behind_puts_no_older_version_in_the_place_of_a_newer_one(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Behind(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> "Behind":
            return cls(2026, 1, 1, tzinfo=tz)

    lake.build(1)
    lake.publish()
    lake.build(2)
    with monkeypatch.context() as patch:
        patch.setattr(publishing, "datetime", Behind)
        with pytest.raises(WholesaleError, match=r"iceberg:lake has a version .* clock"):
            lake.publish()
    assert lake.numbers() == {1}
