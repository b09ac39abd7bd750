"""The lists of orders behind the numbers, a file a month."""

from collections import Counter
from pathlib import Path

from support.warehouses.marts import Marts
from support.warehouses.sites import Site, publish


def test_open_orders_are_the_open_ones_behind_the_totals_by_age(site: Site) -> None:
    orders = [
        row for month in site.content("meta")["orders"] for row in site.table(f"orders/{month}")
    ]
    found = Counter(row["age_bucket"] for row in orders if row["is_open"])
    assert found == {
        row["age_bucket"]: row["order_count"]
        for row in site.table("chase", "open_by_age")
        if row["vendor_id"] == row["state"] == "all"
    }


def test_orders_of_a_month_are_those_of_the_report_newest_first(site: Site) -> None:
    month = max(site.content("meta")["orders"])
    found = site.content(f"orders/{month}")
    columns = ", ".join(found["columns"])
    assert [tuple(row.values()) for row in site.table(f"orders/{month}")] == site.answer(
        f"select {columns} from wholesale_bi.rpt_orders where strftime(ordered_date, '%Y-%m') ="
        f" '{month}'"
        " order by ordered_date desc, order_number desc, order_id"
    )


def test_orders_without_a_date_have_a_file_of_their_own(built: Marts, tmp_path: Path) -> None:
    site = publish(
        built,
        tmp_path,
        "update wholesale_bi.rpt_orders set ordered_date = null, age_in_days = null"
        " where order_id = (select min(order_id) from wholesale_bi.rpt_orders)",
    )
    (first,) = site.answer(
        "select order_id from wholesale_bi.rpt_orders where ordered_date is null"
    )
    assert [row["order_id"] for row in site.table("orders/undated")] == list(first)
    assert list(site.content("meta")["orders"].items())[-1] == ("undated", 1)


def test_a_place_without_lines_has_no_items(site: Site) -> None:
    assert site.content("meta")["has_items"] is False
    assert not [name for name in site.names() if name.startswith("items/")]
