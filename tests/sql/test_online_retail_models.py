"""A real order history through sync and build: the reports equal sums over the source file."""

from collections import defaultdict
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sql.recomputation import REPORTS, built_at, differences
from sql.recomputation.books import Books, read
from support.records.online_retail import SOURCE, convert, guid
from support.services.service import served
from support.warehouses.destinations import differences_in
from support.warehouses.marts import Marts
from support.warehouses.sites import site_of
from wholesale.api.resources import RESOURCE
from wholesale.settings import ApiSettings
from wholesale_elt.load.sync import sync_resources
from wholesale_elt.publish.publisher import publish_marts

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not SOURCE.exists(), reason="the order history is not on this machine"),
]
NOT_CANCELLED = "not starts_with(invoice_no, 'C')"


@pytest.fixture(scope="module")
def retail(tmp_path_factory: pytest.TempPathFactory) -> Marts:
    folder = tmp_path_factory.mktemp("retail")
    convert(SOURCE, folder / "data")
    marts = Marts(folder / "retail.duckdb")
    with served("--data", str(folder / "data")) as url:
        settings = ApiSettings.of(base_url=url, api_key="sandbox")
        assert sync_resources(settings, marts.warehouse, tuple(RESOURCE)).is_complete
    assert [warning.test.split("__")[0] for warning in marts.build().warnings] == [
        "known_payment_states"  # the file tells nothing of payments
    ]
    return marts


@pytest.fixture(scope="module")
def books(retail: Marts) -> Books:
    return Books([read(retail.database)], built_at(retail))


@pytest.mark.parametrize("report", REPORTS)
def test_a_report_computed_a_second_time_is_equal_row_by_row(
    retail: Marts, books: Books, report: str
) -> None:
    assert differences(retail, books, report) == []


@pytest.mark.parametrize("destination", ["postgres", "ducklake"])
def test_every_destination_publishes_the_same(
    retail: Marts,
    destination: str,
    socket: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)

    assert differences_in(retail, destination, tmp_path, socket, monkeypatch) == []


@pytest.mark.usefixtures("engine")
def test_every_engine_publishes_the_same(
    retail: Marts, socket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert differences_in(retail, "lake", tmp_path, socket, monkeypatch) == []


def source(sql: str) -> list[tuple[object, ...]]:
    """An answer straight from the file; an invoice is dated by its first line, and two of its
    countries are called otherwise."""
    lines = (
        "with lines as (select * replace (case country when 'USA' then 'United States'"
        " when 'Czech Republic' then 'Czechia' else country end as country),"
        " cast(first_value(invoice_date) over (partition by invoice_no"
        f" order by file_row_number) as date) as day from read_parquet('{SOURCE}',"
        f" file_row_number = true) where {NOT_CANCELLED})"
    )
    return duckdb.sql(f"{lines} {sql}").fetchall()


def test_headline_sales_equal_sums_over_the_file(retail: Marts) -> None:
    assert retail.rows(
        "select order_count, unit_count, line_count, sales_amount from wholesale_bi.rpt_headlines"
    ) == source(
        "select count(distinct invoice_no), cast(sum(quantity) as bigint), count(*),"
        " sum(quantity * unit_price) from lines"
    )


def test_monthly_sales_equal_sums_over_the_file(retail: Marts) -> None:
    found = retail.rows(
        "select month_start, order_count, sales_amount from wholesale_bi.rpt_vendor_scorecard"
        " order by 1"
    )
    assert len(found) == 13
    assert found == source(
        "select cast(date_trunc('month', day) as date), count(distinct invoice_no),"
        " sum(quantity * unit_price) from lines group by 1 order by 1"
    )


def test_daily_sales_equal_sums_over_the_file(retail: Marts) -> None:
    assert retail.rows(
        "select date_day, order_count, sales_amount from wholesale_bi.rpt_daily_sales"
        " where order_count > 0 order by 1"
    ) == source(
        "select day, count(distinct invoice_no), sum(quantity * unit_price)"
        " from lines group by 1 order by 1"
    )


def test_the_largest_buyers_are_those_of_the_file(retail: Marts) -> None:
    top = source(
        "select customer_id, sum(quantity * unit_price) as sales from lines"
        " where customer_id is not null group by 1 order by sales desc, 1 limit 100"
    )
    assert retail.rows(
        "select buyer_id, sales_amount from wholesale_marts.dim_buyers"
        " order by sales_amount desc limit 100"
    ) == [(guid("customer", str(customer)), sales) for customer, sales in top]


def test_sales_by_country_equal_sums_over_the_file(retail: Marts) -> None:
    assert retail.rows(
        "select shipping_country, cast(sum(order_count) as bigint), sum(sales_amount)"
        " from wholesale_bi.rpt_geography group by 1 order by 1"
    ) == source(
        "select country, count(distinct invoice_no), sum(quantity * unit_price)"
        " from lines group by 1 order by 1"
    )


def test_sales_by_product_equal_sums_over_the_file(retail: Marts) -> None:
    assert retail.rows(
        "select sku, order_count, unit_count, sales_amount from wholesale_bi.rpt_catalogue"
        " where order_count > 0 order by 1"
    ) == source(
        "select stock_code, count(distinct invoice_no), cast(sum(quantity) as bigint),"
        " sum(quantity * unit_price) from lines group by 1 order by 1"
    )


PERIODS = {
    "all_time": "true",
    "2011": "day between '2011-01-01' and '2011-12-09'",
    "2011-03": "day between '2011-03-01' and '2011-03-31'",
    "last_28_days": "day between '2011-11-12' and '2011-12-09'",
    "last_12_months": "day between '2011-01-01' and '2011-12-09'",
    "2011-12": "day between '2011-12-01' and '2011-12-09'",
}
"""Days of some periods of a history that ends on 9 December 2011."""
A_YEAR_BEFORE = "day between '2010-12-01' and '2010-12-09'"
"""Days with which those of December 2011 are compared."""


@pytest.mark.parametrize("period", PERIODS)
def test_sales_of_a_period_by_country(retail: Marts, period: str) -> None:
    found = retail.rows(
        "select state, order_count, buyer_count, unit_count, sales_amount"
        " from wholesale_bi.rpt_sales_by_period_totals"
        f" where period_key = '{period}' and vendor_id = 'all' and order_count > 0 order by 1"
    )
    assert found == source(
        "select coalesce(country, 'all') as place, count(distinct invoice_no),"
        " count(distinct customer_id), cast(sum(quantity) as bigint), sum(quantity * unit_price)"
        f" from lines where {PERIODS[period]} group by grouping sets ((country), ()) order by 1"
    )
    assert len(found) > 5


def test_sales_of_a_month_against_a_year_before(retail: Marts) -> None:
    assert retail.rows(
        "select order_count_year_before, buyer_count_year_before, sales_amount_year_before"
        " from wholesale_bi.rpt_sales_by_period_totals"
        " where period_key = '2011-12' and vendor_id = 'all' and state in ('all', 'United Kingdom')"
        " order by 1"
    ) == source(
        "select count(distinct invoice_no) as invoices, count(distinct customer_id),"
        f" sum(quantity * unit_price) from lines where {A_YEAR_BEFORE}"
        " group by grouping sets ((), (country))"
        " having grouping(country) = 1 or country = 'United Kingdom' order by invoices"
    )


def test_orders_behind_a_number(retail: Marts) -> None:
    assert retail.rows(
        "select order_number, ordered_date, state, unit_count, sub_total"
        " from wholesale_bi.rpt_orders where ordered_date >= '2011-12-08' order by 1"
    ) == source(
        "select invoice_no, any_value(day), any_value(country), cast(sum(quantity) as bigint),"
        " sum(quantity * unit_price) from lines where day >= '2011-12-08' group by 1 order by 1"
    )


def test_the_dashboard_counts_what_the_source_has(retail: Marts, tmp_path: Path) -> None:
    """By day, place and buyer, from the facts that its pages count."""
    site = site_of(publish_marts(retail.warehouse, str(tmp_path / "published")))
    measures = site.content("facts/index")["fct_orders"]["measures"]["orders"]
    buyers, states = (
        [row["key"] for row in site.table("facts/members_of_orders", name)]
        for name in ("buyer", "state")
    )
    found = defaultdict[tuple[str, str | None], list[dict[str, Any]]](list)
    for month in site.content("facts/index")["fct_orders"]["months"]:
        for row in site.table(f"facts/orders-{month}"):
            place = None if row["state"] is None else states[row["state"]]
            if row["orders"]:
                found[f"{month}-{row['day']:02}", place].append(row)
    assert sorted(
        (
            *(day, place, len(rows)),
            len({buyers[row["buyer"]] for row in rows if row["active_buyers"]}),
            Decimal(sum(row["sales"] for row in rows)).scaleb(-measures["sales"]["scale"]),
        )
        for (day, place), rows in found.items()
    ) == source(
        "select cast(day as varchar), country, count(distinct invoice_no),"
        " count(distinct customer_id), sum(quantity * unit_price) from lines group by 1, 2"
        " order by 1, 2"
    )
