"""What there is to do: whose turn it is, by days at their limits, and what it comes to."""

from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.warehouses.marts import Marts
from support.warehouses.sites import Site, publish, rows_of
from wholesale_elt.dashboard.tasks import read_tasks

OBSERVED = "wholesale_marts.fct_order_status_changes"
ALL_DONE = (
    "create table numbered as select order_id, row_number() over (order by order_id) as n"
    " from wholesale_marts.fct_orders where is_sale and is_return is not true",
    "update wholesale_marts.fct_orders set order_status = 'delivered', payment_standing = 'settled'"
    " where not is_cancelled",
    f"delete from {OBSERVED}",
    "update wholesale_marts.dim_vendors set order_terms = null",
    "update wholesale_bi.rpt_reorders set is_late = false",
)
"""Nothing is to do; sales are numbered."""


def order(n: int, status: str, days: int, standing: str = "settled", amount: int = 100) -> str:
    """The order of a number, so many days old."""
    return (
        f"update wholesale_marts.fct_orders set order_status = '{status}', sub_total = {amount},"
        f" total = {amount + 1}, payment_standing = '{standing}',"
        f" ordered_date = (select as_of_date - {days} from wholesale_marts.dim_as_of)"
        f" where order_id = (select order_id from numbered where n = {n})"
    )


def amount_of(row: dict[str, Any]) -> Any:
    return Decimal(row["amount"])


def numbers(site: Site, rows: Iterable[dict[str, object]]) -> list[int]:
    known: dict[object, int] = dict(site.answer("select order_id, n from numbered"))
    return sorted(known[row["order_id"]] for row in rows)


@pytest.fixture(scope="module")
def waiting(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Site:
    return publish(
        built,
        tmp_path_factory.mktemp("waiting"),
        *ALL_DONE,
        order(1, "Received", 3),
        order(2, "Received", 4, amount=20),
        order(3, "received", 30, amount=30),
        order(4, "received", 31),
        order(5, "confirmed", 30),
        order(6, "confirmed", 31),
        order(7, "shipped", 60, "open"),
        order(8, "Delivered", 61, "open"),
        order(9, "shipped", 61, "settled"),
        order(10, "confirmed", 61, "open"),
        order(11, "shipped", 30, "open"),
        order(12, "shipped", 31, "open"),
    )


def test_an_order_waits_for_its_confirmation_until_it_is_one_to_decide_on(waiting: Site) -> None:
    assert numbers(waiting, waiting.table("tasks", "unconfirmed")) == [2, 3]
    assert numbers(waiting, waiting.table("tasks", "old")) == [4, 6, 10]


def test_a_bill_is_overdue_only_if_its_order_was_sent(waiting: Site) -> None:
    assert numbers(waiting, waiting.table("tasks", "overdue")) == [8]


def test_what_is_owed_is_told_by_age(waiting: Site) -> None:
    rows = waiting.table("tasks", "receivables")
    assert [(row["age"], row["order_count"], amount_of(row)) for row in rows] == [
        ("up_to_30", 1, 101),
        ("up_to_60", 2, 202),
        ("over_60", 1, 101),
    ]
    assert all(row["first_day"] <= row["last_day"] for row in rows)


def test_what_is_told_of_a_kind_counts_more_rows_than_are_sent(
    built: Marts, tmp_path: Path
) -> None:
    site = publish(
        built,
        tmp_path,
        *ALL_DONE,
        *(order(n, "received", 40 - n, amount=n) for n in range(1, 9)),
        *(order(n, "shipped", 90 + n, "open", amount=n) for n in range(9, 15)),
        *(order(n, "received", 10 + n - 20, amount=n) for n in range(20, 25)),
    )
    with duckdb.connect(str(site.database)) as connection:
        tables = read_tasks(connection, most=2)
    totals = {row["kind"]: row for row in rows_of(tables["totals"])}
    told = {
        kind: (
            *(totals[kind][name] for name in ("row_count", "least_days", "most_days")),
            len(list(rows_of(tables[kind]))),
            *(row["waiting_days"] for row in rows_of(tables["largest"][kind])),
        )
        for kind in ("old", "overdue", "unconfirmed")
    }
    assert told == {
        "old": (8, 32, 39, 2, 32),
        "overdue": (6, 99, 104, 2, 104),
        "unconfirmed": (5, 10, 14, 2, 14),
    }
    buyers = site.answer(
        "select count(distinct buyer_id) from wholesale_marts.fct_orders"
        " where payment_standing = 'open' and is_sale"
        " and order_id in (select order_id from numbered where n between 9 and 14)"
    )
    assert [(totals["overdue"]["buyer_count"],)] == buyers


def test_a_sum_of_nothing_known_is_not_known(built: Marts, tmp_path: Path) -> None:
    site = publish(
        built,
        tmp_path,
        *ALL_DONE,
        order(1, "received", 9),
        "update wholesale_marts.fct_orders set sub_total = null, total = null",
    )
    totals = {row["kind"]: row for row in site.table("tasks", "totals")}
    assert (totals["unconfirmed"]["row_count"], totals["unconfirmed"]["amount"]) == (1, None)


def test_what_was_sent_and_tells_no_payment_is_not_known(built: Marts, tmp_path: Path) -> None:
    site = publish(
        built,
        tmp_path,
        *ALL_DONE,
        order(1, "shipped", 9, "unknown", amount=30),
        order(2, "delivered", 70, "unknown", amount=40),
        order(3, "received", 9, "unknown"),
        order(4, "shipped", 9, "open", amount=50),
    )
    rows = site.table("tasks", "receivables")
    assert [(row["age"], row["order_count"], amount_of(row)) for row in rows] == [
        ("up_to_30", 1, 51),
        ("unknown", 3, 173),
    ]
    buyers = {
        key: None for (key,) in site.answer("select buyer_id from wholesale_marts.fct_orders")
    }
    owed = [row for row in site.table("buyers") if row["buyer_id"] in buyers]
    assert sum(row["unknown_order_count"] for row in owed) == 3
    assert sum(row["open_order_count"] for row in owed) == 1


def test_the_totals_of_a_kind_count_all_its_rows(waiting: Site) -> None:
    totals = {row["kind"]: row for row in waiting.table("tasks", "totals")}
    assert (totals["unconfirmed"]["row_count"], amount_of(totals["unconfirmed"])) == (2, 50)
    assert (totals["silent"]["row_count"], amount_of(totals["silent"])) == (0, 0)


@pytest.mark.parametrize(("seen", "expected"), [(4, [2]), (5, [])])
def test_how_long_a_confirmation_takes_is_learned_from_five_of_them(
    built: Marts, tmp_path: Path, seen: int, expected: list[int]
) -> None:
    site = publish(
        built,
        tmp_path,
        *ALL_DONE,
        order(2, "received", 5),
        f"insert into {OBSERVED} by name select order_id || '-1' as order_status_change_id,"
        " order_id, 'order_status' as field_name, 'received' as state_before,"
        " 'confirmed' as state_after, ordered_date + interval 6 day as observed_at"
        f" from wholesale_marts.fct_orders where order_id in (select order_id from numbered"
        f" where n > 20 and n <= 20 + {seen})",
    )
    assert numbers(site, site.table("tasks", "unconfirmed")) == expected


def test_a_silent_buyer_is_told_with_its_last_basket(built: Marts, tmp_path: Path) -> None:
    site = publish(
        built,
        tmp_path,
        *ALL_DONE,
        "update wholesale_bi.rpt_reorders set is_late = true where buyer_id ="
        " (select min(buyer_id) from wholesale_bi.rpt_reorders)",
    )
    [row] = site.table("tasks", "silent")
    assert [(row["buyer_id"], row["order_id"], row["basket_amount"])] == site.answer(
        "select buyer_id, order_id, sub_total from wholesale_marts.fct_orders"
        " where is_sale and is_return is not true"
        " and buyer_id = (select min(buyer_id) from wholesale_bi.rpt_reorders)"
        " order by ordered_at desc, order_id desc limit 1"
    )


def test_a_buyer_that_has_lapsed_is_no_longer_one_to_call(built: Marts, tmp_path: Path) -> None:
    site = publish(
        built,
        tmp_path,
        *ALL_DONE,
        "update wholesale_bi.rpt_reorders set is_lapsed = (buyer_id in (select buyer_id from"
        " wholesale_bi.rpt_reorders order by buyer_id limit 2)), is_late = (buyer_id in"
        " (select buyer_id from wholesale_bi.rpt_reorders order by buyer_id limit 3 offset 1))",
    )
    buyers = [
        key
        for (key,) in site.answer(
            "select buyer_id from wholesale_bi.rpt_reorders order by buyer_id limit 4"
        )
    ]
    assert sorted(row["buyer_id"] for row in site.table("tasks", "silent")) == buyers[2:]
