"""Where orders stand, and how long each step took, by the first time that it was seen."""

from decimal import Decimal
from pathlib import Path

import duckdb

from support.warehouses.marts import Marts
from support.warehouses.sites import Site, publish, rows_of
from wholesale_elt.dashboard.fulfilment import read_fulfilment

ORDERS = "wholesale_marts.fct_orders"
OBSERVED = "wholesale_marts.fct_order_status_changes"


def test_each_state_has_its_orders_and_those_that_are_old(site: Site) -> None:
    found = [
        (row["order_status"], row["order_count"], Decimal(row["amount"]), row["old_count"])
        for row in site.table("fulfilment", "states")
    ]
    assert found == [
        (status, count, Decimal(amount), old)
        for status, count, amount, old in site.answer(
            "select order_status, count(*), sum(sub_total),"
            " count(*) filter (as_of_date - ordered_date > 30)"
            f" from {ORDERS} cross join wholesale_marts.dim_as_of"
            " where is_sale and is_return is not true group by 1 order by 1"
        )
    ]
    assert found


def test_the_amount_of_orders_without_one_is_not_known(built: Marts, tmp_path: Path) -> None:
    site = publish(
        built,
        tmp_path,
        f"update {ORDERS} set order_status = 'received' where is_sale",
        f"update {ORDERS} set ordered_date = (select as_of_date from wholesale_marts.dim_as_of)",
        f"update {ORDERS} set sub_total = null",
    )
    [state] = site.table("fulfilment", "states")
    assert (state["amount"], state["recent_amount"]) == (None, None)
    assert (state["old_count"], Decimal(state["old_amount"])) == (0, Decimal(0))
    assert {row["amount"] for row in site.table("fulfilment", "cancelled")} == {None}


def seen(field: str, before: str, after: str, days: int) -> str:
    return (
        f"insert into {OBSERVED} by name select '{field}{after}{days}' as order_status_change_id,"
        f" order_id, '{field}' as field_name, '{before}' as state_before, '{after}' as state_after,"
        f" ordered_date + interval {days} day as observed_at from {ORDERS}"
        f" where order_id = (select min(order_id) from {ORDERS}"
        " where is_sale and is_return is not true)"
    )


def test_a_step_takes_until_it_was_first_seen(built: Marts, tmp_path: Path) -> None:
    site = publish(
        built,
        tmp_path,
        f"delete from {OBSERVED}",
        seen("order_status", "received", "Confirmed", 2),
        seen("order_status", "confirmed", "received", 3),
        seen("order_status", "received", "confirmed", 4),
        seen("order_status", "confirmed", "shipped", 9),
        seen("payment_status", "open", "paid", 12),
    )
    steps = site.table("fulfilment", "steps")
    assert [(row["step"], row["order_count"], row["median_days"]) for row in steps] == [
        ("accepted", 1, 2),
        ("sent", 1, 9),
        ("settled", 1, 12),
    ]
    assert len(site.table("fulfilment", "taken")) == 3


def test_nine_of_ten_is_told_of_nine_orders_or_more(built: Marts, tmp_path: Path) -> None:
    def steps(state: str, count: int) -> str:
        return (
            f"insert into {OBSERVED} by name select '{state}' || order_id as"
            " order_status_change_id, order_id, 'order_status' as field_name,"
            f" 'received' as state_before, '{state}' as state_after,"
            " ordered_date + to_days(n::int) as observed_at from"
            " (select order_id, ordered_date, row_number() over (order by order_id) as n"
            f" from {ORDERS} where is_sale and is_return is not true) where n <= {count}"
        )

    site = publish(
        built,
        tmp_path,
        f"delete from {OBSERVED}",
        steps("confirmed", 8),
        steps("shipped", 9),
        steps("delivered", 20),
    )
    found = [
        (row["step"], row["order_count"], row["most_days"], row["longest_days"])
        for row in site.table("fulfilment", "steps")
    ]
    assert found == [("accepted", 8, None, 8), ("done", 20, 19, 20), ("sent", 9, 9, 9)]
    assert {(row["order_count"], row["most_days"]) for row in site.table("vendor_steps")}


def test_lists_of_many_orders_are_counted_whole(built: Marts, tmp_path: Path) -> None:
    site = publish(
        built, tmp_path, f"update {ORDERS} set order_status = 'received' where not is_cancelled"
    )
    with duckdb.connect(str(site.database)) as connection:
        tables = read_fulfilment(connection, most=3)
    states = {row["order_status"]: row["order_count"] for row in rows_of(tables["states"])}
    assert len(list(rows_of(tables["waiting"]))) == 3
    assert states["received"] > 3
