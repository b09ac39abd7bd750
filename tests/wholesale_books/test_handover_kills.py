"""Killed at any step, run twice at once, its place gone: no order twice, none missing.

`poe kills` kills five hundred times.
"""

import itertools
import random
import shutil
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from support.warehouses.handed import PERSONAL, Business, Counting, Versions, contents
from support.warehouses.handers import Hander
from wholesale.errors import WholesaleError
from wholesale_books.handover.handing import Handing
from wholesale_elt.warehouse import Warehouse

WRITES = 67
"""More than a hand-over has, so that some are not killed."""
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
    receiver, where, allowed = Counting(place), "all", PERSONAL[:1]
    steps, killed, usual = itertools.cycle(range(WRITES)), Counter[int | None](), 0.5

    def hand_over(kill_at: int | None = None, kill_after: float | None = None) -> int:
        nonlocal usual
        code, seconds = Hander.start(tmp_path, place, where, kill_at).ended(kill_after)
        if code == -signal.SIGKILL:
            killed[kill_at] += 1
        elif code == 0:
            usual = seconds
        return code

    while killed.total() < kills:
        business.live(chance, chance.randrange(25))
        for order in business.orders.values():
            if order["is_deleted"] and chance.random() < 0.1:
                order |= {"is_deleted": False, "deleted_at": None}
        versions.publish(business, allowed=allowed)
        if chance.random() < 0.2:
            where = chance.choice(["all", "vendor=v1", "state=received"])
        for _ in range(chance.randrange(1, 5)):
            other = Hander.start(tmp_path, place, where) if chance.random() < 0.1 else None
            if chance.random() < 0.6:  # at each write in turn, or at any moment of one that runs
                hand_over(kill_at=next(steps))
            else:
                hand_over(kill_after=chance.uniform(0, 1.5 * usual))
            if other:
                assert other.ended()[0] in (0, 1)
        if receiver.number and chance.random() < 0.1:
            away = place.rename(tmp_path / "away")
            assert hand_over() in (0, 1)  # whether there was something to deliver
            shutil.rmtree(place, ignore_errors=True)
            away.rename(place)
        if chance.random() < 0.5:
            acknowledge(tmp_path, receiver)
    assert hand_over() == 0
    receiver.read()

    version = versions.folder / "versions" / f"{versions.number:05d}" / "wholesale.duckdb"
    found = contents(version)
    assert receiver.has == {
        id_: content
        for id_, content in found.items()
        if not content["order"]["is_deleted"] and passes(content["order"], where)
    }
    assert receiver.gone == {id_: found[id_] for id_ in receiver.gone}
    if kills > 100:
        assert receiver.kinds.keys() == KINDS
        assert killed[None]
        assert len(killed) > 30


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
