"""Sales: the data files of sales, by period and by month, and the choices of filters."""

from collections.abc import Iterator, Sequence
from datetime import date

import duckdb

from wholesale_elt.dashboard.columnar import Json, read_row, read_table, read_tables
from wholesale_elt.dashboard.filters import (
    ALL,
    FILTERS,
    MONTH,
    PERIOD,
    PERIOD_GROUPS,
    STATE,
    VENDOR,
    Choice,
)
from wholesale_elt.dashboard.page import ReportExtract, source_of
from wholesale_elt.dashboard.pages import PAGES
from wholesale_elt.dashboard.pages.overview import MOVED_PRODUCTS, SALES, TREND

VENDORS_A_SHARD = 5
"""Vendors whose months share a file, so that files are neither many nor large."""
MOST_MONTHS = 24
"""Months that pages by month can show."""
LAST_DAYS = 91
"""Days of the daily trend, thirteen weeks."""
MOST_PRODUCTS = 5
"""Products shown whose sales changed most, of each vendor and of all."""
DEFAULT_PERIOD = "last_12_months"
KEYS = ("period_key", "vendor_id", "vendor_name", "state")


def measures(*listings: ReportExtract) -> str:
    """The columns of these lists without their keys, each once."""
    names = [column.name for listing in listings for column in listing.columns]
    return ", ".join(dict.fromkeys(name for name in names if name not in KEYS))


MEASURES = measures(*(tile for page in PAGES for tile in page.tiles if tile.model == SALES))
TRENDS = measures(TREND)
PRODUCTS = ", ".join(column.name for column in MOVED_PRODUCTS.columns)
SOLD = (SALES, f"{SALES}_totals")
"""Sales by vendor and state, and their sums."""
VENDORS = f"""
    select
        vendor_id as id,
        vendor_name as name,
        sales_amount as size,
        case
            when vendor_id = 'all' then 'all'
            else cast((row_number() over by_sales - 1) // {VENDORS_A_SHARD} as varchar)
        end as shard
    from {source_of(*SOLD)}
    where period_key = 'all_time'
        and state = 'all'
    window by_sales as (
        partition by vendor_id = 'all' order by sales_amount desc nulls last, vendor_id
    )
"""


class Sales:
    """Reads the reports of sales from a published file, one data file at a time."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def choices(self) -> dict[str, Sequence[Choice]]:
        """The choices of each filter: the latest period first, vendors and states by sales."""
        return {
            PERIOD: [
                Choice(key, label, PERIOD_GROUPS[kind])
                for key, label, kind in self._rows(
                    "select period_key, period_label, period_kind from wholesale_bi.rpt_periods"
                    " order by position, period_key"
                )
            ],
            VENDOR: [
                Choice(ALL, FILTERS[VENDOR].every),
                *(
                    Choice(vendor, (name or "").strip() or vendor)
                    for vendor, name in self._rows(
                        f"select id, name from ({VENDORS}) where id <> '{ALL}'"
                        " order by size desc nulls last, id"
                    )
                ),
            ],
            MONTH: [Choice(month, f"{date.fromisoformat(month):%b %Y}") for month in self.months()]
            or [Choice("", FILTERS[MONTH].every)],
            STATE: [
                Choice(ALL, FILTERS[STATE].every),
                *(
                    Choice(state, state)
                    for (state,) in self._rows(
                        f"select state from {source_of(*SOLD)} where period_key = 'all_time'"
                        f" and vendor_id = '{ALL}' and state <> '{ALL}'"
                        " order by sales_amount desc nulls last, state"
                    )
                ),
            ],
        }

    def months(self) -> Sequence[str]:
        """First days of the months that pages by month show, complete months first."""
        return [
            month
            for (month,) in self._rows(
                "select cast(first_day as varchar) from wholesale_bi.rpt_periods"
                " cross join (select max(last_day) as as_of_date from wholesale_bi.rpt_periods)"
                " as ends"
                " where period_kind = 'month' and first_day <= as_of_date"
                " order by first_day + to_months(1) - to_days(1) > as_of_date, first_day desc"
                f" limit {MOST_MONTHS}"
            )
        ]

    def daily(self) -> Json:
        """Sales of all vendors on each of the last days that are over."""
        return read_table(
            self._connection,
            "select date_day, cast(sum(order_count) as bigint) as order_count,"
            " cast(sum(sales_amount) as decimal(38, 9)) as sales_amount"
            " from wholesale_bi.rpt_daily_sales"
            " where date_day > (select max(date_day) from wholesale_bi.rpt_daily_sales"
            f" where sales_amount <> 0) - {LAST_DAYS}"
            " and date_day <= (select figures_up_to from wholesale_bi.rpt_headlines)"
            " group by date_day order by date_day",
        )

    def shards(self) -> dict[str, str]:
        """The file of months of each vendor."""
        rows = self._rows(f"select id, shard from ({VENDORS}) order by id")
        return {vendor: shard for vendor, shard in rows}

    def periods(self) -> Json:
        """First and last day of each span on offer; all time has none."""
        return read_table(
            self._connection,
            "select period_key, period_kind, first_day, last_day,"
            " year_before_first_day, year_before_last_day, is_year_before_covered"
            " from wholesale_bi.rpt_periods order by position, period_key",
        )

    def ends(self) -> Json:
        """The last day that was over, the day of the last order, and how long before the sync."""
        return read_row(
            self._connection,
            "select figures_up_to, last_ordered_date, quiet_day_count"
            " from wholesale_bi.rpt_headlines",
        )

    def mixed_currencies(self) -> Sequence[str]:
        """Currencies that are added up with others, or with those of the setting."""
        return [
            currency
            for (currency,) in self._rows(
                "select distinct currency from wholesale_bi.rpt_currencies"
                " where not is_expected order by all"
            )
        ]

    def headline(self) -> Json:
        """The period that is shown first: the last twelve months, or all time if no order is
        dated."""
        return read_row(
            self._connection,
            "select period_key, period_label, period_kind, periods.first_day, periods.last_day,"
            " year_before_first_day, year_before_last_day, is_year_before_covered,"
            f" {MEASURES}"
            f" from (from wholesale_bi.rpt_periods where period_key in ('{DEFAULT_PERIOD}',"
            " 'all_time'))"
            " as periods"
            f" left join (from {source_of(*SOLD)} where vendor_id = 'all' and state = 'all')"
            " as sales using (period_key)"
            f" order by period_key <> '{DEFAULT_PERIOD}' limit 1",
        )

    def by_period(self) -> Iterator[tuple[str, Json]]:
        """Each period with its sales: in total, by vendor, and by state."""
        return self._by_period("(vendor_id = 'all' or state = 'all')")

    def crossed(self) -> Iterator[tuple[str, Json]]:
        """The same by vendor and state: many rows, read only for a filter."""
        return self._by_period("vendor_id <> 'all' and state <> 'all'")

    def products(self) -> Iterator[tuple[str, Json]]:
        """Each period with the products of each vendor whose sales changed most."""
        return read_tables(
            self._connection,
            f"select period_key, {PRODUCTS} from wholesale_bi.rpt_product_sales_by_period"
            " where sales_amount <> sales_amount_year_before"
            " qualify row_number() over (partition by period_key, vendor_id order by"
            f" abs(sales_amount - sales_amount_year_before) desc, product_id) <= {MOST_PRODUCTS}"
            " order by period_key, abs(sales_amount - sales_amount_year_before) desc, product_id",
            key="period_key",
            values=self._periods(),
        )

    def trends(self) -> Iterator[tuple[str, Json]]:
        """Each shard of vendors with their sales, a row for each vendor, state and month."""
        return read_tables(
            self._connection,
            f"select shard, period_key, vendor_id, state, {TRENDS}"
            f" from {source_of(*SOLD)} inner join ({VENDORS}) as vendors on vendor_id = id"
            " where period_key in"
            " (select period_key from wholesale_bi.rpt_periods where period_kind = 'month')"
            " order by shard, period_key, vendor_id, state <> 'all', state",
            key="shard",
        )

    def _by_period(self, condition: str) -> Iterator[tuple[str, Json]]:
        return read_tables(
            self._connection,
            f"select period_key, vendor_id, state, {MEASURES} from {source_of(*SOLD)}"
            f" where {condition}"
            " order by period_key, vendor_id <> 'all', vendor_id, state <> 'all', state",
            key="period_key",
            values=self._periods(),
        )

    def _periods(self) -> list[str]:
        return [key for (key,) in self._rows("select period_key from wholesale_bi.rpt_periods")]

    def _rows(self, sql: str) -> list[tuple[str, ...]]:
        return self._connection.sql(sql).fetchall()
