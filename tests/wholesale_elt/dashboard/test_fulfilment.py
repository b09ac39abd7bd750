"""Where orders stand, and how long each step took, by the first time that it was seen."""

from decimal import Decimal
from pathlib import Path

from support.warehouses.marts import Marts
from support.warehouses.sites import Site, publish

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
        ("confirmed", 1, 2),
        ("paid", 1, 12),
        ("shipped", 1, 9),
    ]
    assert len(site.table("fulfilment", "taken")) == 3
