"""History knows what each sync saw, however many of them there were between two builds."""

from datetime import UTC, datetime
from typing import Any

import pytest

from conftest import Loader
from support.records.samples import guid, order
from support.warehouses.marts import Marts
from wholesale_elt.past import WATCHED, log_of
from wholesale_sandbox.server import Sandbox

pytestmark = pytest.mark.slow

PRICES = (
    "select cast(unit_price as double), valid_from, valid_to"
    f" from wholesale_marts.fct_variant_prices where variant_id = '{guid('red')}'"
    " order by version_number"
)
STATES = (
    "select state_before, state_after, observed_at"
    " from wholesale_marts.fct_order_status_changes order by observed_at"
)

MADE = "fct_variant_prices", "fct_order_status_changes", "obs_orders"


class Syncs:
    """Syncs of one service into one warehouse, each known by its number, from 0."""

    def __init__(self, sandbox: Sandbox, loader: Loader) -> None:
        self.sandbox, self.loader = sandbox, loader
        self.marts = Marts(loader.warehouse.database)
        self._spans: list[tuple[datetime, datetime]] = []
        sandbox.put("orders", order("Z"))
        sandbox.put("items", {"id": guid("mug"), "variants_count": 2})
        sandbox.put("variants", {"id": guid("blue"), "unit_price": 5}, parent_id=guid("mug"))

    def put(self, price: float, status: str) -> None:
        now = datetime.now(UTC).isoformat()
        self.sandbox.put(
            "variants", {"id": guid("red"), "unit_price": price}, parent_id=guid("mug")
        )
        self.sandbox.put("orders", order("A", status=status, updated_at=now))

    def run(self) -> None:
        began = datetime.now(UTC)
        self.loader.load()
        self._spans.append((began, datetime.now(UTC)))

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """With the number of the sync in the place of a moment within it."""
        return [tuple(map(self._number, row)) for row in self.marts.rows(sql)]

    def _number(self, value: Any) -> Any:
        if not isinstance(value, datetime):
            return value
        (number,) = (n for n, (a, b) in enumerate(self._spans) if a <= value <= b)
        return number


@pytest.fixture
def syncs(sandbox: Sandbox, loader: Loader) -> Syncs:
    return Syncs(sandbox, loader)


def test_syncs_between_two_builds_lose_no_price_and_no_state_and_one_that_brings_nothing_moves_none(
    syncs: Syncs,
) -> None:
    for price, status in ((9, "received"), (10, "confirmed")):
        syncs.put(price, status)
        syncs.run()
    syncs.marts.build(*MADE)
    first = syncs.rows(PRICES)
    for price, status in ((111, "shipped"), (10, "confirmed")):
        syncs.put(price, status)
        syncs.run()
    syncs.run()
    syncs.marts.build(*MADE)
    syncs.marts.build(*MADE)

    assert first == [(9.0, 0, 1), (10.0, 1, None)]
    assert syncs.rows(PRICES) == [(9.0, 0, 1), (10.0, 1, 2), (111.0, 2, 3), (10.0, 3, None)]
    assert syncs.rows(STATES) == [
        ("received", "confirmed", 1),
        ("confirmed", "shipped", 2),
        ("shipped", "confirmed", 3),
    ]


def test_what_is_gone_and_back_again_between_two_builds_is_remembered(syncs: Syncs) -> None:
    syncs.put(9, "received")
    syncs.run()
    syncs.sandbox.delete("orders", guid("A"))
    syncs.run()
    syncs.put(9, "received")
    syncs.run()
    syncs.marts.build(*MADE)

    assert syncs.rows(
        "select order_status, is_deleted, observed_at from wholesale_history.obs_orders"
        f" where order_id = '{guid('A')}' order by observation_number"
    ) == [("received", False, 0), ("received", True, 1), ("received", False, 2)]


@pytest.mark.parametrize("is_built", [True, False], ids=["built", "never built"])
def test_a_warehouse_of_before_goes_on_with_the_history_it_has(
    syncs: Syncs, is_built: bool
) -> None:
    syncs.put(9, "received")
    syncs.run()
    for resource in WATCHED:
        syncs.loader.execute(f"drop table {log_of(resource)}")
    if is_built:
        syncs.marts.build(*MADE)
    syncs.put(10, "received")
    syncs.run()
    syncs.marts.build(*MADE)

    seen_before = [(9.0, 0, 1)] if is_built else []
    assert syncs.rows(PRICES) == [*seen_before, (10.0, 1, None)]
    assert syncs.rows(
        "select variant_id, valid_from from wholesale_marts.fct_variant_prices"
        f" where variant_id = '{guid('blue')}'"
    ) == [(guid("blue"), 0 if is_built else 1)]


def test_an_order_is_held_against_the_minimum_that_had_been_seen_before_it(
    sandbox: Sandbox, loader: Loader
) -> None:
    vendor_id = guid("studio")
    sandbox.put("orders", order("before", vendor_id=vendor_id))
    for minimum in (10, 20, 30):
        sandbox.put("vendors", {"id": vendor_id, "minimum_order_quantity": minimum})
        loader.load()
        now = datetime.now(UTC).isoformat()
        sandbox.put("orders", order(f"at {minimum}", vendor_id=vendor_id, created_at=now))
    loader.load()
    marts = Marts(loader.warehouse.database)
    marts.build()

    assert marts.rows(
        "select order_number, minimum_order_quantity, is_minimum_as_of_order"
        " from wholesale_bi.rpt_minimum_orders order by ordered_date, order_number"
    ) == [("before", 30, False), ("at 10", 10, True), ("at 20", 20, True), ("at 30", 30, True)]
