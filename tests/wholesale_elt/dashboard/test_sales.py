"""The data of what was sold says what SQL over the published file says, to the last digit."""

from collections import Counter, defaultdict
from decimal import Decimal
from typing import Any

from support.warehouses.sites import Site

SOLD = (
    "(from wholesale_bi.rpt_sales_by_period union all from wholesale_bi.rpt_sales_by_period_totals)"
)


def amount(text: str | None) -> Decimal:
    return Decimal(text or 0)


def test_periods_and_their_crossings_hold_every_row_of_the_report(site: Site) -> None:
    found = {
        (key, *row.values())
        for (key,) in site.answer("select period_key from wholesale_bi.rpt_periods")
        for name in ("period", "cross")
        for row in site.table(f"{name}/{key}")
    }
    columns = ", ".join(site.content("period/all_time")["columns"])
    expected = site.answer(f"select period_key, {columns} from {SOLD}")
    assert len(expected) > 1_000
    assert found == set(expected)
    for name, has_all in (("period", True), ("cross", False)):
        rows = site.table(f"{name}/2025")
        assert {"all" in (row["vendor_id"], row["state"]) for row in rows} == {has_all}


def test_trends_hold_every_month_of_every_vendor_in_its_shard(site: Site) -> None:
    shards = site.content("meta")["shards"]
    found = set()
    for shard in set(shards.values()):
        rows = site.table(f"trend/{shard}")
        assert {shards[row["vendor_id"]] for row in rows} == {shard}
        months = [row["period_key"] for row in rows]
        assert months == sorted(months)
        found |= {tuple(row.values()) for row in rows}
    columns = ", ".join(site.content("trend/all")["columns"])
    assert found == set(
        site.answer(
            f"select {columns} from {SOLD}"
            " where regexp_full_match(period_key, '[0-9]{4}-[0-9]{2}')"
        )
    )
    assert {"all", "0", "1"} <= set(shards.values())
    assert Counter(shards.values())["all"] == 1


def test_the_orders_behind_a_number_add_up_to_it(site: Site) -> None:
    """In every period, of every vendor, to every state."""
    meta = site.content("meta")
    orders = [row for month in meta["orders"] for row in site.table(f"orders/{month}")]
    assert meta["orders"] == {month: len(site.table(f"orders/{month}")) for month in meta["orders"]}
    checked = 0
    for period in site.table("meta", "periods"):
        groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
        for row in orders:
            if period["period_kind"] != "all" and not (
                row["ordered_date"]
                and period["first_day"] <= row["ordered_date"] <= period["last_day"]
            ):
                continue
            for vendor in ("all", row["vendor_id"]):
                for state in ("all", row["state"]):
                    groups[vendor, state].append(row)
        rows = [
            row
            for name in ("period", "cross")
            for row in site.table(f"{name}/{period['period_key']}")
            if row["order_count"]
        ]
        assert {
            (
                *(row["vendor_id"], row["state"], row["order_count"], row["buyer_count"]),
                *(amount(row["sales_amount"]), row["below_minimum_value_count"]),
            )
            for row in rows
        } == {
            (
                *(*group, len(found)),
                len({row["buyer_id"] for row in found if row["buyer_id"]}),
                sum((amount(row["sub_total"]) for row in found), Decimal()),
                sum(row["is_below_minimum_value"] for row in found),
            )
            for group, found in groups.items()
        }
        checked += len(rows)
    assert checked > 1_000


def test_products_that_moved_are_the_five_of_each_vendor_with_the_largest_steps(site: Site) -> None:
    columns = list(site.content("products/all_time")["columns"])
    found = [
        (period, *(row[column] for column in columns))
        for (period,) in site.answer("select period_key from wholesale_bi.rpt_periods order by 1")
        for row in site.table(f"products/{period}")
    ]
    moved = site.answer(
        f"select period_key, {', '.join(columns)} from wholesale_bi.rpt_product_sales_by_period"
        " where sales_amount_year_before is not null"
    )
    sales, before, vendor = (1 + columns.index(name) for name in (*columns[3:5], "vendor_id"))
    steps: dict[tuple[Any, Any], list[tuple[Any, ...]]] = defaultdict(list)
    for row in moved:
        if row[sales] != row[before]:
            steps[row[0], row[vendor]].append(row)
    largest = [
        row
        for rows in steps.values()
        for row in sorted(rows, key=lambda row: -abs(amount(row[sales]) - amount(row[before])))[:5]
    ]
    assert len(largest) > 100
    assert Counter(found) == Counter(largest)
