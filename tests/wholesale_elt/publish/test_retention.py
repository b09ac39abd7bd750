"""Versions go when they are old, and not while they are read."""

import shutil
import subprocess
import sys

import duckdb
import pytest

from support.warehouses.desks import Desk
from wholesale_elt.process.lock import AlreadyRunning, hold
from wholesale_elt.publish import folder

HELD = "import duckdb, sys; c = duckdb.connect(sys.argv[1], read_only=True); print(); input()"


def test_old_versions_go_and_those_that_are_read_stay_until_they_are_not(desk: Desk) -> None:
    numbers = {}
    for number in range(1, 4):
        desk.build(number)
        desk.publish()
        numbers[desk.current()["version"]] = number
    first, second, third = numbers
    command = [sys.executable, "-c", HELD, str(desk.folder / f"versions/{first}/wholesale.duckdb")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        assert reader.stdout
        reader.stdout.readline()
        desk.build(4)
        published = desk.publish(keep=2)
        fourth = desk.current()["version"]
        assert (published.pruned.removed, published.pruned.read) == ([second], [first])
        assert desk.versions() == [first, third, fourth]
        reader.communicate(b"\n")

    assert desk.publish(keep=2).pruned.removed == [first]
    assert desk.versions() == [third, fourth]


def test_the_run_that_is_named_is_the_last_one_by_a_clock_that_was_right(desk: Desk) -> None:
    desk.build(1)
    with duckdb.connect(str(desk.warehouse.database)) as connection:
        connection.execute("insert into wholesale_bi.rpt_sync_runs values ('run 2999', false, 1)")

    desk.publish()

    assert desk.current()["run_id"] == "run 1"


def test_versions_of_a_clock_that_was_ahead_go_first_and_push_no_other_out(desk: Desk) -> None:
    numbers = []
    for number in range(1, 4):
        desk.build(number)
        desk.publish()
        numbers.append(desk.current()["version"])
    first, second, third = numbers
    for name in (second, third):  # as if published in the year 2999
        ahead = desk.folder / "versions" / f"2999{name[4:]}"
        shutil.copytree(desk.folder / "versions" / name, ahead)
        shutil.copytree(desk.folder / "dashboard" / name, desk.folder / "dashboard" / ahead.name)
    desk.build(4)

    removed = desk.publish(keep=3).pruned.removed

    fourth = desk.current()["version"]
    assert sorted(removed) == sorted([first, f"2999{second[4:]}", f"2999{third[4:]}"])
    assert desk.versions() == [second, third, fourth]
    assert desk.numbers() == {4}


def test_a_run_that_died_leaves_nothing_behind(desk: Desk) -> None:
    desk.build(1)
    desk.publish()
    before = desk.files()
    left = desk.folder / "versions/.next.partial/parquet"
    left.mkdir(parents=True)
    (left / "half").write_text("half")
    (desk.folder / ".current.json.partial").write_text("half")
    (desk.folder / "dashboard/20260101T000000000Z-0a1b2c3d").mkdir()

    desk.publish()
    assert desk.files() == before
    assert [path.name for path in (desk.folder / "dashboard").iterdir() if path.is_dir()] == (
        desk.versions()
    )


@pytest.mark.parametrize("step", ["_sync_all", "replace", "write_entries"])
def test_a_publication_that_breaks_off_leaves_the_last_one_in_force(
    desk: Desk, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    desk.build(1)
    desk.publish()
    before = desk.current()
    desk.build(2)
    with monkeypatch.context() as patch:
        patch.setattr(folder, step, fail)
        with pytest.raises(OSError, match="No space"):
            desk.publish()

    assert desk.current() == before
    assert desk.numbers(before["database"]["path"]) == {1}
    assert desk.numbers() in ({1}, {2})
    assert desk.publish().result == "published"
    version = desk.current()["version"]
    assert (desk.folder / "index.html").read_text("utf-8") == f"{version}: 2"
    assert desk.numbers() == desk.numbers(desk.current()["database"]["path"]) == {2}


def test_two_do_not_publish_into_one_folder_at_once(desk: Desk) -> None:
    desk.build(1)
    desk.publish()
    with (
        hold(desk.folder / ".lock"),
        pytest.raises(AlreadyRunning, match=f"at work on the folder {desk.folder}: process "),
    ):
        desk.publish()
