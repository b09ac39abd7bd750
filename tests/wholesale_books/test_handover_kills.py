"""Killed at any step, run twice at once, its place full or gone: no order twice, none missing."""

import random
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from support.warehouses.handed import PERSONAL, Business, Counting, Versions, contents
from support.warehouses.handers import ended, start
from wholesale.errors import WholesaleError
from wholesale_books.handover.handing import Handing
from wholesale_elt.warehouse import Warehouse

KINDS = {"new", "changed", "cancelled", "gone", "returned", "entered", "left"}


@pytest.mark.parametrize(
    ("seed", "kills"),
    [
        pytest.param(1, 12),
        pytest.param(2, 60, marks=pytest.mark.slow),
        *(pytest.param(seed, 125, marks=pytest.mark.long) for seed in range(3, 7)),
    ],
)
def test_whatever_is_killed_no_order_comes_twice_and_none_is_missing(
    tmp_path: Path, seed: int, kills: int
) -> None:
    chance = random.Random(seed)
    place = tmp_path / "place"
    place.mkdir()
    business, versions = Business(), Versions(tmp_path / "published")
    receiver, where, killed, allowed = Counting(place), "all", 0, PERSONAL[:1]
    step = 0
    while killed < kills:
        business.live(chance, chance.randrange(9))
        versions.publish(business, allowed=allowed)
        if chance.random() < 0.2:
            where = chance.choice(["all", "vendor=v1", "state=received"])
        for _ in range(chance.randrange(1, 5)):  # at each write in turn, or at any moment
            is_at_write = chance.random() < 0.7
            step += 1
            process = start(tmp_path, place, where, step % 61 if is_at_write else None)
            other = start(tmp_path, place, where, None) if chance.random() < 0.1 else None
            code = ended(process, None if is_at_write else chance.uniform(0.05, 0.6))
            killed += code == -signal.SIGKILL
            if other:
                assert ended(other) in (0, 1)
        if receiver.number and chance.random() < 0.1:
            away = place.rename(tmp_path / "away")
            ended(start(tmp_path, place, where, None))
            shutil.rmtree(place, ignore_errors=True)
            away.rename(place)
        if chance.random() < 0.5:
            acknowledge(tmp_path, receiver)
    assert ended(start(tmp_path, place, where, None)) == 0
    receiver.read()

    version = versions.folder / "versions" / f"{versions.number:05d}" / "wholesale.duckdb"
    expected = {
        id_: content
        for id_, content in contents(version).items()
        if not content["order"]["is_deleted"] and passes(content["order"], where)
    }
    assert receiver.has == expected
    assert killed >= kills
    if kills > 50:
        assert receiver.kinds.keys() == KINDS


def passes(order: dict[str, Any], where: str) -> bool:
    kind, _, value = where.partition("=")
    return where == "all" or order["vendor_id" if kind == "vendor" else "order_status"] == value


def acknowledge(folder: Path, receiver: Counting) -> None:
    """As a receiver does that has read all that is there, of which the last may not be noted."""
    if number := receiver.read():
        handing = Handing.of(Warehouse(folder / "wholesale.duckdb"), "ledger", folder / "published")
        try:
            handing.acknowledge(number)
        except WholesaleError:
            if number > 1:
                handing.acknowledge(number - 1)
