"""A real order history through sync and build: the reports equal sums over the source file."""

import duckdb
import pytest

from online_retail import SOURCE, convert, guid
from service import served
from sql.marts import Marts
from wholesale.resources import RESOURCE
from wholesale.settings import ApiSettings
from wholesale_elt.load import sync

pytestmark = [
    pytest.mark.slow,
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
        assert sync(settings, marts.warehouse, tuple(RESOURCE)).is_complete
    assert marts.build().warnings == []
    return marts


def source(sql: str) -> list[tuple[object, ...]]:
    """An answer straight from the file; an invoice is dated by its first line."""
    lines = (
        "with lines as (select *, cast(first_value(invoice_date) over (partition by invoice_no"
        f" order by file_row_number) as date) as day from read_parquet('{SOURCE}',"
        f" file_row_number = true) where {NOT_CANCELLED})"
    )
    return duckdb.sql(f"{lines} {sql}").fetchall()


def test_total_sales(retail: Marts) -> None:
    assert retail.rows(
        "select order_count, unit_count, line_count, sales_amount from wholesale_bi.rpt_headlines"
    ) == source(
        "select count(distinct invoice_no), cast(sum(quantity) as bigint), count(*),"
        " sum(quantity * unit_price) from lines"
    )


def test_monthly_sales(retail: Marts) -> None:
    found = retail.rows(
        "select month_start, order_count, sales_amount from wholesale_bi.rpt_vendor_scorecard"
        " order by 1"
    )
    assert len(found) == 13
    assert found == source(
        "select cast(date_trunc('month', day) as date), count(distinct invoice_no),"
        " sum(quantity * unit_price) from lines group by 1 order by 1"
    )


def test_daily_sales(retail: Marts) -> None:
    assert retail.rows(
        "select date_day, order_count, sales_amount from wholesale_bi.rpt_daily_sales"
        " where order_count > 0 order by 1"
    ) == source(
        "select day, count(distinct invoice_no), sum(quantity * unit_price)"
        " from lines group by 1 order by 1"
    )


def test_top_buyers(retail: Marts) -> None:
    top = source(
        "select customer_id, sum(quantity * unit_price) as sales from lines"
        " where customer_id is not null group by 1 order by sales desc, 1 limit 100"
    )
    assert retail.rows(
        "select buyer_id, sales_amount from wholesale_marts.dim_buyers"
        " order by sales_amount desc limit 100"
    ) == [(guid("customer", str(customer)), sales) for customer, sales in top]


def test_sales_by_country(retail: Marts) -> None:
    assert retail.rows(
        "select country, cast(sum(order_count) as bigint), sum(sales_amount)"
        " from wholesale_bi.rpt_geography group by 1 order by 1"
    ) == source(
        "select country, count(distinct invoice_no), sum(quantity * unit_price)"
        " from lines group by 1 order by 1"
    )


def test_products(retail: Marts) -> None:
    assert retail.rows(
        "select sku, order_count, unit_count, sales_amount from wholesale_bi.rpt_catalogue"
        " where order_count > 0 order by 1"
    ) == source(
        "select stock_code, count(distinct invoice_no), cast(sum(quantity) as bigint),"
        " sum(quantity * unit_price) from lines group by 1 order by 1"
    )
