"""The lists of the pages are rows of their reports, and headlines are those of their lists."""

from collections import defaultdict
from decimal import Decimal
from typing import Any

import duckdb
import msgspec
import pytest

from support.warehouses.sites import Site, rows_of, sent
from wholesale_elt.dashboard.page import Table
from wholesale_elt.dashboard.pages.catalogue import CATALOGUE
from wholesale_elt.dashboard.pages.months import MONTHS
from wholesale_elt.dashboard.reports import read_page_data


def with_totals(report: str) -> str:
    """The rows of a report with their sums, as a report is named."""
    return f"(from wholesale_bi.{report} union all from wholesale_bi.{report}_totals)"


def amount(text: str | None) -> Decimal:
    return Decimal(text or 0)


@pytest.mark.parametrize(
    ("file", "table", "source"),
    [
        (
            "buyers",
            "cohorts",
            "rpt_buyer_cohorts where cohort_month is not null order by cohort_month, month_number",
        ),
        (
            "buyers",
            "at_risk",
            "rpt_reorders where is_late or is_lapsed order by sales_amount desc, buyer_id",
        ),
        (
            "buyers",
            "concentration",
            "rpt_buyer_concentration order by sales_amount desc, vendor_id",
        ),
        ("buyers", "known", "rpt_reorders order by buyer_id"),
        (
            "catalogue",
            "classes",
            with_totals("rpt_catalogue_classes")
            + " order by vendor_id <> 'all', vendor_id, abc_class",
        ),
        (
            "catalogue",
            "best_sellers",
            "rpt_catalogue where order_count > 0 order by sales_amount desc, product_id",
        ),
        (
            "catalogue",
            "never_ordered",
            "rpt_catalogue where is_never_ordered order by unit_price desc nulls last, product_id",
        ),
        (
            "catalogue",
            "ordered_but_inactive",
            "rpt_catalogue where is_ordered_but_inactive order by sales_amount desc, product_id",
        ),
        (
            "catalogue",
            "price_changes",
            "rpt_price_changes order by observed_at desc, price_change_id",
        ),
        (
            "chase",
            "open",
            with_totals("rpt_open_orders") + " where age_bucket = 'all' order by vendor_id, state",
        ),
        (
            "chase",
            "open_over_90_days",
            with_totals("rpt_open_orders")
            + " where age_bucket = 'over 90' order by vendor_id, state",
        ),
        (
            "chase",
            "open_by_age",
            with_totals("rpt_open_orders")
            + " where age_bucket <> 'all' order by vendor_id, state, age_bucket",
        ),
        (
            "chase",
            "open_orders",
            "rpt_orders where is_open order by total desc nulls last, order_id",
        ),
        ("chase", "below_minimum", "rpt_minimum_orders order by ordered_date desc, order_id"),
        ("chase", "short_orders", "rpt_minimum_order_totals order by vendor_id, state"),
        ("health", "freshness", "rpt_freshness order by resource"),
        ("health", "reconciliation", "rpt_reconciliation order by reconciliation_id"),
        (
            "health",
            "drift",
            "rpt_sync_runs where run_id = (select max(run_id) from wholesale_bi.rpt_sync_runs)"
            " order by resource",
        ),
        ("health", "runs", "rpt_sync_runs order by run_id desc, resource"),
        ("health", "quarantine", "rpt_quarantine order by run_id desc, resource, reason"),
    ],
)
def test_a_list_is_its_report(site: Site, file: str, table: str, source: str) -> None:
    columns = ", ".join(f'"{name}"' for name in site.content(file)[table]["columns"])
    found = site.table(file, table)
    assert found
    assert [tuple(row.values()) for row in found] == site.answer(
        f"select {columns} from {source if source[0] == '(' else f'wholesale_bi.{source}'}"
    )


def headline(site: Site, page: str, *names: str) -> dict[str, Any]:
    """The figures of some headlines, each of which has one row."""
    found: dict[str, Any] = {}
    for name in names:
        [row] = site.table(page, name)
        found |= row
    return found


def test_headlines_of_buyers_are_those_of_their_list(site: Site) -> None:
    buyers = [
        dict(zip(("reordered", "is_late", "is_lapsed", "sales"), row, strict=True))
        for row in site.answer(
            "select has_reordered_within_90_days, is_late, is_lapsed, sales_amount"
            " from wholesale_bi.rpt_reorders"
        )
    ]
    told = [row for row in buyers if row["reordered"] is not None]
    again = [row for row in told if row["reordered"]]
    late = [row for row in buyers if row["is_late"]]
    lapsed = [row for row in buyers if row["is_lapsed"]]
    assert min(len(again), len(late), len(lapsed)) > 0
    ((share,),) = site.answer("select top_5_share from wholesale_bi.rpt_buyer_concentration_totals")
    rate = (Decimal(len(again)) / len(told)).quantize(Decimal("0.000001"), "ROUND_HALF_UP")
    assert headline(
        site, "buyers", "reordering", "late_buyers", "lapsed_buyers", "top_5_share"
    ) == {
        "buyer_count": len(buyers),
        "reorder_90_days_count": len(again),
        "reorder_90_days_known_count": len(told),
        "reorder_90_days_rate": sent(rate),
        "late_count": len(late),
        "late_sales_amount": sent(sum(amount(row["sales"]) for row in late)),
        "lapsed_count": len(lapsed),
        "lapsed_sales_amount": sent(sum(amount(row["sales"]) for row in lapsed)),
        "top_5_share": sent(share),
    }


def test_headlines_of_health_are_those_of_its_lists(site: Site) -> None:
    lists = {name: site.table("health", name) for name in ("freshness", "drift", "reconciliation")}
    resources = {row["resource"] for row in lists["freshness"]}
    assert {row["resource"] for row in lists["drift"]} == resources
    names = (
        *("complete_resources", "reconciled_checks", "still_resources", "quarantined_records"),
        "orders_left_out",
    )
    assert headline(site, "health", *names) == {
        "resource_count": len(resources),
        "complete_resource_count": sum(row["verdict"] == "complete" for row in lists["freshness"]),
        "still_resource_count": sum(
            row["first_total_count"] == row["last_total_count"]
            and not (row["duplicate_count"] or row["missed_count"] or row["silent_count"])
            for row in lists["drift"]
        ),
        "check_count": len(lists["reconciliation"]),
        "reconciled_check_count": sum(row["is_reconciled"] for row in lists["reconciliation"]),
        "quarantined_record_count": 0,
        "missing_amount_count": 3,
        "undated_order_count": 2,
        "lines_without_quantity_count": 0,
        "lines_without_amount_count": 0,
    }


def test_totals_below_the_minimum_are_those_of_their_list(site: Site) -> None:
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in site.table("chase", "below_minimum"):
        for vendor in ("all", row["vendor_id"]):
            for state in ("all", row["state"]):
                groups[vendor, state].append(row)
    assert len(groups) > 10
    found = site.table("chase", "short_orders")
    assert {
        (
            *(row["vendor_id"], row["state"], row["order_count"], row["near_miss_count"]),
            amount(row["value_shortfall"]),
        )
        for row in found
    } == {
        (
            *(vendor, state, len(rows), sum(row["is_near_miss"] for row in rows)),
            sum((amount(row["value_shortfall"]) for row in rows), Decimal()),
        )
        for (vendor, state), rows in groups.items()
    }


def test_a_list_that_is_cut_says_how_many_there_are(site: Site) -> None:
    entry = next(tile for tile in CATALOGUE.tiles if tile.name == "best_sellers")
    assert entry.rows is not None
    cut = msgspec.structs.replace(entry, rows=msgspec.structs.replace(entry.rows, most=3))
    with duckdb.connect(str(site.database), read_only=True) as connection:
        content = read_page_data(connection, msgspec.structs.replace(CATALOGUE, tiles=(cut,)))
    whole = site.table("catalogue", "best_sellers")
    assert list(rows_of(content["best_sellers"])) == whole[:3]
    assert content["best_sellers"]["total"] == len(whole)
    assert "total" not in site.content("catalogue")["best_sellers"]


@pytest.mark.slow
@pytest.mark.parametrize("tile", MONTHS.tiles, ids=lambda tile: tile.name)
def test_a_list_of_a_month_holds_the_rows_of_its_report(site: Site, tile: Table) -> None:
    [choices] = [
        entry["choices"] for entry in site.content("meta")["filters"] if entry["name"] == "month"
    ]
    columns = ", ".join(column.name for column in tile.columns)
    assert tile.rows
    for choice in choices:
        month = choice["value"]
        assert [tuple(row.values()) for row in site.table(f"months/{month[:7]}", tile.name)] == (
            site.answer(
                f"select {columns} from wholesale_bi.{tile.model} where month_start = date"
                f" '{month}'"
                f" order by {tile.rows.order}"
            )
        )


def test_the_months_that_are_over_come_first(site: Site) -> None:
    [choices] = [
        entry["choices"] for entry in site.content("meta")["filters"] if entry["name"] == "month"
    ]
    found = [choice["value"] for choice in choices]
    over = site.answer(
        "select cast(first_day as varchar) from wholesale_bi.rpt_periods,"
        " wholesale_bi.rpt_headlines"
        " where period_kind = 'month' and last_day <= as_of_date order by first_day desc limit 24"
    )
    assert found[0] == over[0][0]
    assert sorted(found) == sorted({*found})


def test_the_days_are_those_of_all_vendors_together(site: Site) -> None:
    days = site.table("daily")
    assert len(days) == 91
    none = {row["date_day"]: (0, "0") for row in days}
    some = {
        day: (count, sales)
        for day, count, sales in site.answer(
            "select ordered_date, count(*), sum(sub_total) from wholesale_bi.rpt_orders"
            f" where ordered_date >= date '{days[0]['date_day']}' group by all"
        )
    }
    found = {row["date_day"]: (row["order_count"], row["sales_amount"]) for row in days}
    assert found == none | some
