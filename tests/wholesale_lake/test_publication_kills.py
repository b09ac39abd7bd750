"""A run that dies while it publishes into a catalogue leaves a whole version in force."""

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.io.pyarrow import PyArrowFileIO

from support.warehouses import handmade
from support.warehouses.desks import Lake, files_of


class Killed(BaseException):
    """The process is gone."""


@pytest.fixture
def dying(monkeypatch: pytest.MonkeyPatch) -> Callable[[int | None], None]:
    """Lets a run die before its n-th call of the catalogue that writes."""
    left: list[int | None] = [None]

    def die_at(number: int | None) -> None:
        left[0] = number

    def watch(name: str) -> None:
        original = getattr(SqlCatalog, name)

        def watched(*args: Any, **kwargs: Any) -> Any:
            if left[0] is not None:
                left[0] -= 1
                if left[0] < 0:
                    raise Killed
            return original(*args, **kwargs)

        monkeypatch.setattr(SqlCatalog, name, watched)

    for name in ("create_namespace", "create_table", "commit_table", "drop_table"):
        watch(name)
    return die_at


@pytest.mark.slow
def test_a_publication_that_is_killed_anywhere_leaves_a_version_whole_and_the_next_clears_up(
    lake: Lake, dying: Callable[[int | None], None], tmp_path: Path
) -> None:
    names = handmade.TABLES[1:]
    lake.build(0)
    lake.publish(is_only_bi=True)
    last, seen = 0, []
    for number in itertools.count(1):
        lake.build(number)
        dying(number - 1)
        try:
            lake.publish(is_only_bi=True)
        except Killed:
            [found] = lake.numbers(names=names)
            assert found in (last, number)
            seen.append(found == number)
            last = found
        else:
            break
        finally:
            dying(None)
    # The claim, a snapshot of three tables, the row; then three tables are pointed to them, a row
    # goes, and old snapshots of four tables.
    assert seen == [False] * 5 + [True] * 8
    assert lake.numbers(names=names) == lake.numbers(None, names) == {number}

    lake.build(number + 1)
    lake.publish(is_only_bi=True)
    assert lake.numbers(-2, names) == {number}
    there, named = files_of(lake, tmp_path / "lake")
    assert there == named
    assert len(there) == 2 * len(names)
    for name in names:
        assert {snapshot.snapshot_id for snapshot in lake.table(name).snapshots()} == {
            row["snapshots"][name] for row in lake.versions()
        }


@pytest.mark.slow
def test_the_first_publication_may_be_killed_anywhere(
    lake: Lake, dying: Callable[[int | None], None]
) -> None:
    names = handmade.TABLES[1:]
    lake.build(1)
    for number in itertools.count():
        dying(number)
        try:
            lake.publish(is_only_bi=True)
        except Killed:
            continue
        finally:
            dying(None)
        break
    assert number > 5
    assert lake.numbers(names=names) == lake.numbers(None, names) == {1}
    assert lake.publish(is_only_bi=True).result == "already published"


@pytest.mark.slow
def test_what_a_run_that_dies_has_still_to_remove_goes_with_the_next(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        raise Killed

    for number in (1, 2):
        lake.build(number)
        lake.publish()
    lake.build(3)
    with monkeypatch.context() as patch:
        patch.setattr(PyArrowFileIO, "delete", die)
        with pytest.raises(Killed):
            lake.publish()
    there, named = files_of(lake, tmp_path / "lake")
    assert len(there - named) == 1

    lake.build(4)
    lake.publish()
    there, named = files_of(lake, tmp_path / "lake")
    assert there == named
    assert len(there) == 2 * len(handmade.TABLES)


def test_a_run_that_stages_other_columns_and_dies_leaves_the_table_with_its_own(
    lake: Lake, dying: Callable[[int | None], None]
) -> None:
    lake.build(1)
    lake.publish()
    lake.change("alter table wholesale_bi.rpt_headlines add column note varchar default 'a'")
    dying(5)
    with pytest.raises(Killed):
        lake.publish()
    dying(None)
    assert len(lake.table("wholesale_bi.rpt_headlines").snapshots()) == 2
    assert lake.read("wholesale_bi.rpt_headlines", None).to_pylist() == [
        {"currency": "EUR", "time_zone": "Europe/Vienna", "number": 1}
    ]
