"""The dashboard's data files say what SQL over the published file says, to the last digit."""

import dataclasses
import re
from collections import Counter, defaultdict
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from support.marts import Marts
from support.sites import MANIFEST, Site, publish, sent, write_site
from wholesale_elt.dashboard import reports, writing
from wholesale_elt.dashboard.pages import PAGES


@pytest.fixture(scope="module")
def site(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """With what a made-up business that was synced once has none of."""
    return publish(
        built,
        tmp_path_factory.mktemp("published"),
        "insert into bi.rpt_price_changes by name select product_id || '-2' as price_change_id,"
        " product_id as variant_id, item_id, sku, item_title, variant_title, vendor_id,"
        " vendor_name, timestamptz '2025-03-04 05:06:07.891Z' as observed_at,"
        " unit_price as price_before, unit_price + 0.123456789 as price, 0.005 as change_rate"
        " from bi.rpt_catalogue where product_kind = 'variant'",
        "insert into bi.rpt_quarantine by name select '1-orders-' || reason as quarantine_id,"
        " '1' as run_id, 'orders' as resource, reason, 2 as record_count, now() as found_at"
        " from (values ('no id'), ('odd id')) as reasons(reason)",
        "update bi.rpt_catalogue set is_orderable = false, is_ordered_but_inactive = true"
        " where abc_class = 'B'",
    )


def amount(text: str | None) -> Decimal:
    return Decimal(text or 0)


def test_periods_and_their_crossings_hold_every_row_of_the_report(site: Site) -> None:
    found = {
        (key, *row.values())
        for (key,) in site.answer("select period_key from bi.rpt_periods")
        for name in ("period", "cross")
        for row in site.table(f"{name}/{key}")
    }
    columns = ", ".join(site.content("period/all_time")["columns"])
    expected = site.answer(f"select period_key, {columns} from bi.rpt_sales_by_period")
    assert len(expected) > 1_000
    assert found == set(expected)
    for name, has_all in (("period", True), ("cross", False)):
        rows = site.table(f"{name}/2025")
        assert {"all" in (row["vendor_id"], row["state"]) for row in rows} == {has_all}


def test_trends_hold_every_month_of_every_vendor_in_its_shard(site: Site) -> None:
    shards = {vendor["id"]: vendor["shard"] for vendor in site.content("meta")["vendors"]}
    found = set()
    for shard in set(shards.values()):
        rows = site.table(f"trend/{shard}")
        assert {shards[row["vendor_id"]] for row in rows} == {shard}
        assert [row["month"] for row in rows] == sorted(row["month"] for row in rows)
        found |= {tuple(row.values()) for row in rows}
    columns = ", ".join(list(site.content("trend/all")["columns"])[1:])
    assert found == set(
        site.answer(
            f"select period_key, {columns} from bi.rpt_sales_by_period"
            " where regexp_full_match(period_key, '[0-9]{4}-[0-9]{2}')"
        )
    )
    assert {"all", "0", "1"} <= set(shards.values())
    assert Counter(shards.values())["all"] == 1


@pytest.mark.parametrize(
    ("file", "table", "source"),
    [
        (
            "buyers",
            "reorders",
            "rpt_reorders order by is_at_risk desc, sales_amount desc, buyer_id",
        ),
        (
            "buyers",
            "cohorts",
            "rpt_buyer_cohorts where cohort_month is not null order by cohort_month, month_number",
        ),
        (
            "buyers",
            "concentration",
            "rpt_buyer_concentration order by vendor_id <> 'all', sales_amount desc, vendor_id",
        ),
        (
            "catalogue",
            "classes",
            "rpt_catalogue_classes order by vendor_id <> 'all', vendor_id, abc_class",
        ),
        (
            "catalogue",
            "products",
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
            "rpt_open_orders"
            " order by vendor_id <> 'all', vendor_id, state <> 'all', state, age_bucket",
        ),
        (
            "chase",
            "open_orders",
            "rpt_orders where is_open order by total desc nulls last, order_id",
        ),
        ("chase", "minimum", "rpt_minimum_orders order by ordered_date desc, order_id"),
        ("health", "freshness", "rpt_freshness order by resource"),
        ("health", "reconciliation", "rpt_reconciliation order by reconciliation_id"),
        ("health", "runs", "rpt_sync_runs order by run_id desc, resource"),
        ("health", "quarantine", "rpt_quarantine order by run_id desc, resource, reason"),
    ],
)
def test_a_list_is_its_report(site: Site, file: str, table: str, source: str) -> None:
    columns = ", ".join(f'"{name}"' for name in site.content(file)[table]["columns"])
    found = site.table(file, table)
    assert found
    assert [tuple(row.values()) for row in found] == site.answer(
        f"select {columns} from bi.{source}"
    )


def test_headlines_of_buyers_are_those_of_their_list(site: Site) -> None:
    buyers = site.table("buyers", "reorders")
    told = [row for row in buyers if row["has_reordered_within_90_days"] is not None]
    again = [row for row in told if row["has_reordered_within_90_days"]]
    late = [row for row in buyers if row["is_late"]]
    lapsed = [row for row in buyers if row["is_lapsed"]]
    assert min(len(again), len(late), len(lapsed)) > 0
    rate = (Decimal(len(again)) / len(told)).quantize(Decimal("0.000001"), "ROUND_HALF_UP")
    assert site.content("buyers")["headlines"] == {
        "buyer_count": len(buyers),
        "reorder_90_days_count": len(again),
        "reorder_90_days_known_count": len(told),
        "reorder_90_days_rate": sent(rate),
        "late_count": len(late),
        "late_sales_amount": sent(sum(amount(row["sales_amount"]) for row in late)),
        "lapsed_count": len(lapsed),
        "lapsed_sales_amount": sent(sum(amount(row["sales_amount"]) for row in lapsed)),
        "top_5_share": site.table("buyers", "concentration")[0]["top_5_share"],
    }


def test_headlines_of_health_are_those_of_its_lists(site: Site) -> None:
    health = {
        name: site.table("health", name) for name in site.content("health") if name != "headlines"
    }
    latest = [run for run in health["runs"] if run["is_latest"]]
    assert {run["resource"] for run in latest} == {row["resource"] for row in health["freshness"]}
    assert site.content("health")["headlines"] == {
        "resource_count": len(latest),
        "complete_resource_count": sum(row["is_complete"] for row in health["freshness"]),
        "still_resource_count": len(latest),
        "check_count": len(health["reconciliation"]),
        "reconciled_check_count": sum(row["is_reconciled"] for row in health["reconciliation"]),
        "quarantined_record_count": 0,
    }


def test_totals_below_the_minimum_are_those_of_their_list(site: Site) -> None:
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in site.table("chase", "minimum"):
        for vendor in ("all", row["vendor_id"]):
            for state in ("all", row["state"]):
                groups[vendor, state].append(row)
    assert len(groups) > 10
    found = site.table("chase", "minimum_totals")
    assert found[0]["vendor_id"] == found[0]["state"] == "all"
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
                *(amount(row["sales_amount"]), amount(row["billed_amount"])),
                row["below_minimum_count"],
            )
            for row in rows
        } == {
            (
                *(*group, len(found)),
                len({row["buyer_id"] for row in found if row["buyer_id"]}),
                sum((amount(row["sub_total"]) for row in found), Decimal()),
                sum((amount(row["total"]) for row in found), Decimal()),
                sum(row["is_below_minimum"] for row in found),
            )
            for group, found in groups.items()
        }
        checked += len(rows)
    assert checked > 1_000


def test_open_orders_are_the_open_ones_behind_the_totals_by_age(site: Site) -> None:
    orders = [
        row for month in site.content("meta")["orders"] for row in site.table(f"orders/{month}")
    ]
    found = Counter(row["age_bucket"] for row in orders if row["is_open"])
    assert found == {
        row["age_bucket"]: row["order_count"]
        for row in site.table("chase", "open")
        if row["vendor_id"] == row["state"] == "all" and row["age_bucket"] != "all"
    }


def test_orders_of_a_month_are_those_of_the_report_newest_first(site: Site) -> None:
    month = site.content("meta")["months"][-1]
    found = site.content(f"orders/{month}")
    columns = ", ".join(found["columns"])
    assert [tuple(row.values()) for row in site.table(f"orders/{month}")] == site.answer(
        f"select {columns} from bi.rpt_orders where strftime(ordered_date, '%Y-%m') = '{month}'"
        " order by ordered_date desc, order_number desc, order_id"
    )


def test_orders_without_a_date_have_a_file_of_their_own(built: Marts, tmp_path: Path) -> None:
    site = publish(
        built,
        tmp_path,
        "update bi.rpt_orders set ordered_date = null, age_in_days = null"
        " where order_id = (select min(order_id) from bi.rpt_orders)",
    )
    (first,) = site.answer("select order_id from bi.rpt_orders where ordered_date is null")
    assert [row["order_id"] for row in site.table("orders/undated")] == list(first)
    assert list(site.content("meta")["orders"].items())[-1] == ("undated", 1)


def test_the_index_of_the_data_names_every_file_and_every_choice(site: Site) -> None:
    meta = site.content("meta")
    keys = [row["period_key"] for row in site.table("meta", "periods")]
    shards = {vendor["shard"] for vendor in meta["vendors"]}
    assert site.names() == sorted(
        [
            *("meta", "buyers", "catalogue", "chase", "health"),
            *("period", "cross", "trend", "orders"),
            *(f"{name}/{key}" for name in ("period", "cross") for key in keys),
            *(f"trend/{shard}" for shard in shards),
            *(f"orders/{month}" for month in meta["orders"]),
        ]
    )
    assert {name: meta[name] for name in writing.OF_THE_PUBLICATION} == {
        name: MANIFEST[name] for name in writing.OF_THE_PUBLICATION
    }
    assert [(meta["as_of_date"],)] == site.answer("select as_of_date from bi.rpt_headlines")
    assert meta["default_period"] == "last_12_months"
    assert keys == [
        key for (key,) in site.answer("select period_key from bi.rpt_periods order by position")
    ]
    assert [(vendor["id"], vendor["name"]) for vendor in meta["vendors"]] == site.answer(
        "select vendor_id, vendor_name from bi.rpt_sales_by_period where period_key = 'all_time'"
        " and state = 'all' order by vendor_id <> 'all', sales_amount desc, vendor_id"
    )
    assert [(state,) for state in meta["states"]] == site.answer(
        "select state from bi.rpt_sales_by_period where period_key = 'all_time'"
        " and vendor_id = 'all' order by state <> 'all', sales_amount desc, state"
    )
    assert meta["months"] == sorted(month for month in keys if re.fullmatch(r"\d{4}-\d\d", month))
    assert meta["limits"] == {}
    assert [page["name"] for page in meta["pages"]] == [page.name for page in PAGES]
    assert meta["pages"][0]["tiles"][0]["filters"] == ["period", "vendor", "state"]


def test_a_list_that_is_cut_says_what_it_is_cut_from(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = site.table("catalogue", "products")
    cut = {
        name: [
            dataclasses.replace(part, most=3)
            if isinstance(part, reports.Listing) and part.name == "products"
            else part
            for part in parts
        ]
        for name, parts in reports.REPORTS.items()
    }
    monkeypatch.setattr(reports, "REPORTS", cut)
    folder = (tmp_path / MANIFEST["dashboard"]).parent
    small = write_site(dataclasses.replace(site, folder=folder, published=tmp_path))
    assert small.table("catalogue", "products") == whole[:3]
    assert small.content("meta")["limits"] == {"products": {"shown": 3, "of": len(whole)}}
