"""Forecasts: what was told of the next order on a day stays so, whatever comes later."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from graphlib import TopologicalSorter
from random import Random
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from support.few import few
from support.warehouses.rendered import DUCKDB, renderer

Row = tuple[Any, ...]
FIRST_DAY, LAST_DAY = date(2024, 1, 1), date(2026, 6, 30)
DAYS = (LAST_DAY - FIRST_DAY).days
WORLDS = 100
DAYS_A_WORLD = 4
FEWEST = 50
"""With so many orders there are windows in any world."""
CLAIMED = (
    "buyer_id, ordered_date, purchase_number, age, has_alike, usual_days, usual_amount,"
    " first_day_50, last_day_50, first_day_80, last_day_80, first_day_90, last_day_90,"
    " late_after_days, low_amount, high_amount"
)
SCHEMA = pa.schema(
    {"buyer_id": pa.string(), "ordered_date": pa.date32(), "sub_total": pa.decimal128(38, 9)}
)


def purchases(random: Random) -> Iterator[Row]:
    """Of buyers with rhythms of their own, some of whom end; several orders a day, some without
    an amount."""
    for number in range(random.choice([5, 40])):
        gap = random.choice([3, 10, 30, 90])
        day = FIRST_DAY + timedelta(days=random.randrange(DAYS // 2))
        until = LAST_DAY - timedelta(days=random.choice([0, 0, random.randrange(DAYS)]))
        while day <= until:
            amount = random.choice([None, *random.choices(range(-5, 1_000), k=12)])
            yield f"buyer {number}", day, amount
            day += timedelta(days=max(0, round(random.gauss(gap, gap / 3))))


MODELS = {
    node.name: node
    for node in renderer(DUCKDB).nodes()
    if node.name.startswith("int_forecast") or node.name == "int_purchase_days"
}


PARENTS = {name: {it.rpartition(".")[2] for it in of.parents} for name, of in MODELS.items()}
MADE = [name for name in TopologicalSorter(PARENTS).static_order() if name in MODELS]


def forecasts(orders: Sequence[Row], up_to: date) -> list[Row]:
    """What `int_forecasts`, made of these orders, claims in the windows set by that day."""
    values = zip(*orders, strict=True)
    sold = pa.table([pa.array(each) for each in values], names=SCHEMA.names).cast(SCHEMA)
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.register("sold", sold)
        connection.execute(
            "create schema wholesale_build;"
            " create table wholesale_build.settings as"
            " select 0.95::decimal(9, 2) as late_percentile;"
            " create table fct_orders as select row_number() over () as order_id, *,"
            "  true as is_sale, false as is_return from sold;"
            " create table int_order_events (order_id bigint, event_kind text);"
            " create table int_as_of as select max(ordered_date) as figures_up_to from sold"
        )
        for name in MADE[: MADE.index("int_forecasts") + 1]:
            connection.execute(f"create table {name} as {MODELS[name].sql}")
        return connection.execute(
            f"select {CLAIMED} from int_forecasts where ordered_date <= ? order by all", [up_to]
        ).fetchall()


@pytest.mark.slow
@pytest.mark.parametrize("seed", few(range(WORLDS // DAYS_A_WORLD), 6))
def test_no_window_knows_what_came_after_its_day(seed: int) -> None:
    random = Random(seed)
    orders = list(purchases(random))
    first = min(day for _, day, _ in orders)
    for _ in range(DAYS_A_WORLD):
        day = first + timedelta(days=random.randrange((LAST_DAY - first).days))
        known = [order for order in orders if order[1] <= day]
        told = forecasts(known, day)
        assert told == forecasts(orders, day)
        assert told or len(known) < FEWEST
