"""Business that goes on keeps every record sound and every sum exact."""

import threading
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from wholesale_sandbox.business.live import FREQUENCIES, Live, following, next_step
from wholesale_sandbox.contract.fields import RESOURCE
from wholesale_sandbox.storage.database import Storage
from wholesale_sandbox.world.business import World

WORLD = World(seed=3, orders=300)
START = datetime(2026, 8, 1, tzinfo=UTC)

Record = dict[str, Any]


def minutes() -> Iterator[datetime]:
    at = START
    while True:
        at += timedelta(minutes=1)
        yield at


def stored(*, with_base: bool) -> Storage:
    """The world on shelves: its orders computed, or kept like those of a folder."""
    storage = Storage(base_orders=WORLD.orders if with_base else None)
    storage.fill(WORLD.catalogue())
    if not with_base:
        storage.fill(
            ("orders", None, WORLD.orders.id(number), WORLD.orders.body(number))
            for number in range(len(WORLD.orders))
        )
    return storage


def lively(storage: Storage, world: World | None) -> Live:
    times = minutes()
    return Live(storage, world, per_minute=60, seed=5, now=lambda: next(times))


def all_bodies(storage: Storage, resource: str) -> list[bytes]:
    return [body for _, body in storage.collection(resource).records()]


def records(storage: Storage, resource: str) -> dict[str, Record]:
    decoder = msgspec.json.Decoder(float_hook=Decimal)
    return {record["id"]: record for record in map(decoder.decode, all_bodies(storage, resource))}


@pytest.mark.parametrize("world", [WORLD, None], ids=["world", "folder"])
def test_a_seed_makes_the_same_changes_over_the_same_records(world: World | None) -> None:
    ends = []
    for _ in range(2):
        storage = stored(with_base=world is not None)
        live = lively(storage, world)
        changes = [live.step() for _ in range(200)]
        ends.append((changes, {resource: all_bodies(storage, resource) for resource in RESOURCE}))
        storage.close()
    assert ends[0] == ends[1]


@pytest.mark.slow
@pytest.mark.parametrize("world", [WORLD, None], ids=["world", "folder"])
def test_a_thousand_changes_leave_sound_records(world: World | None) -> None:
    storage = stored(with_base=world is not None)
    live = lively(storage, world)
    before = records(storage, "orders")
    counts = {resource: storage.collection(resource).count() for resource in RESOURCE}

    made = Counter(change.action for change in (live.step() for _ in range(1_000)) if change)

    assert made.total() == 1_000
    assert made.keys() == FREQUENCIES.keys()
    orders = records(storage, "orders")
    assert len(orders) == storage.collection("orders").count()
    assert len(orders) == counts["orders"] + made["order placed"] - made["order deleted"]
    assert storage.collection("items").count() == counts["items"] + made["item added"]
    newcomers = [order for record_id, order in orders.items() if record_id not in before]
    for order in orders.values():
        assert_exact(order)
    for order in newcomers:
        assert order["created_at"] > "2026-08-01"
        assert order["buyer_id"] in records(storage, "buyers")
    numbers = [order["order_number"] for order in orders.values()]
    assert len(set(numbers)) == len(numbers)
    assert numbers == sorted(numbers)
    assert_whole(storage)
    storage.close()


def assert_exact(order: Record) -> None:
    lines = order["order_line_items"]
    for line in lines:
        assert Decimal(line["total_price"]) == line["quantity"] * Decimal(line["unit_price"])
    assert Decimal(order["sub_total"]) == sum(Decimal(line["total_price"]) for line in lines)
    assert order["created_at"] <= order["updated_at"]


def assert_whole(storage: Storage) -> None:
    """Every id that a record of the catalogue names is there, and variants know their parent."""
    known = {resource: records(storage, resource) for resource in RESOURCE}
    for resource in RESOURCE:
        for field in RESOURCE[resource].fields:
            if field.refers_to is not None and resource != "orders":
                named = {record[field.name] for record in known[resource].values()} - {None}
                assert named <= known[field.refers_to].keys()
    for variant_id, variant in known["variants"].items():
        assert storage.collection("variants").parent_of(variant_id) == variant["parent_id"]
    for item_id, item in known["items"].items():
        assert storage.collection("variants").count(item_id) == item["variants_count"]
    codes = [item["product_code"] for item in known["items"].values()]
    assert len(set(codes)) == len(codes)


def test_the_next_step_is_decided_by_the_generator_alone() -> None:
    assert [next_step(Random(1)) for _ in range(3)] == [next_step(Random(1))] * 3
    rng = Random(2)
    often = Counter(next_step(rng).action for _ in range(10_000))
    for action, percentage in FREQUENCIES.items():
        assert abs(often[action] / 100 - percentage) < 2


def test_a_reopened_database_goes_on_with_new_orders(tmp_path: Path) -> None:
    file = tmp_path / "sandbox.sqlite"
    storage = Storage(file, WORLD.orders)
    storage.fill(WORLD.catalogue())
    first = lively(storage, WORLD)
    for _ in range(50):
        first.step()
    before = records(storage, "orders")
    storage.close()

    storage = Storage(file, WORLD.orders)
    second = lively(storage, WORLD)
    placed = sum(change.action == "order placed" for _ in range(50) if (change := second.step()))
    orders = records(storage, "orders")
    assert len(orders.keys() - before.keys()) == placed > 0
    assert len({order["order_number"] for order in orders.values()}) == len(orders)
    storage.close()


def test_nothing_happens_where_there_is_nothing() -> None:
    storage = Storage()
    assert lively(storage, None).step() is None
    storage.close()


def test_records_of_no_known_form_are_left_alone() -> None:
    storage = Storage()
    for resource in RESOURCE:
        storage.collection(resource).put("x", b'{"id":"x","unit_price":[]}')
        storage.collection(resource).put("y", b"no JSON")
    assert lively(storage, None).step() is None
    storage.close()


def test_a_started_business_goes_on_until_it_is_stopped() -> None:
    storage = stored(with_base=True)
    before = all_bodies(storage, "orders")
    thrice = threading.Event()
    times: list[datetime] = []

    def now() -> datetime:
        times.append(START)
        if len(times) == 3:
            thrice.set()
        return START

    live = Live(storage, WORLD, per_minute=60_000, seed=1, now=now)
    live.start()
    assert thrice.wait(60)
    live.stop()
    assert "live" not in {thread.name for thread in threading.enumerate()}
    assert all_bodies(storage, "orders") != before
    storage.close()


@pytest.mark.parametrize(
    ("order_number", "next_number"),
    [("00000041", "00000042"), ("C581569", "C581570"), ("99", "100"), ("X", "X1"), ("A-9", "A-10")],
)
def test_order_numbers_are_counted_up(order_number: str, next_number: str) -> None:
    assert following(order_number) == next_number
