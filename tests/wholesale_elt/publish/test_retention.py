"""Versions go when they are old, and not while they are read."""

import shutil
import subprocess
import sys
from datetime import datetime

import pytest

from support.warehouses.desks import Desk
from wholesale.errors import Unanswerable
from wholesale_elt.publish import (
    NotKept,
    find_version,
    kept_versions,
    pin_version,
    pins_in,
    unpin_versions,
)

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


def test_a_pinned_version_stays_and_is_in_force_no_longer_than_it_was(desk: Desk) -> None:
    names = []
    for number in range(1, 5):
        desk.build(number)
        published = desk.publish(keep=1)
        names.append(desk.current()["version"])
        if number == 2:
            pin_version(desk.folder, names[1], "a test")
    _, second, third, fourth = names

    assert (published.pruned.removed, published.pruned.pinned) == ([third], [second])
    assert desk.versions() == [second, fourth]
    moments = [each.published_at for each in kept_versions(desk.folder)]
    pin = pins_in(desk.folder)[second]
    assert pin.by == "a test"
    assert pin.ended is not None
    assert datetime.fromisoformat(moments[0]) < pin.ended < datetime.fromisoformat(moments[1])
    asked = {second: second, moments[0]: second, moments[1]: fourth, "current": fourth}
    assert {text: find_version(desk.folder, text).version for text in asked} == asked
    with pytest.raises(NotKept) as refused:
        find_version(desk.folder, pin.ended.isoformat())
    assert refused.value.moment == pin.ended
    with pytest.raises(Unanswerable):
        find_version(desk.folder, "previous")

    assert unpin_versions(desk.folder, by="somebody else") == []
    assert unpin_versions(desk.folder, by="a test") == [second]
    assert desk.publish(keep=1).pruned.removed == [second]
    assert desk.versions() == [fourth]


def test_a_pin_by_hand_is_one(desk: Desk) -> None:
    desk.build(1)
    desk.publish()
    first = desk.current()["version"]
    (desk.folder / "pinned").mkdir()
    (desk.folder / "pinned" / first).touch()
    for number in (2, 3):
        desk.build(number)
        desk.publish(keep=1)
    assert desk.versions() == [first, desk.current()["version"]]
    assert pins_in(desk.folder)[first].by == ""
