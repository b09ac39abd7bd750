"""Versions go when they are old, and not while they are read."""

import shutil
import subprocess
import sys

from support.warehouses.desks import Desk

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
