"""The data files of what was sold: by period, by month, and the orders behind each number."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

import duckdb

from wholesale_elt.dashboard.columnar import Json, read_table, read_tables

VENDORS_A_SHARD = 5
"""Vendors whose months share a file: few files, and none that is large."""
DEFAULT_PERIOD = "last_12_months"
UNDATED = "undated"
MEASURES = """
    order_count, buyer_count, unit_count, sales_amount, billed_amount, average_order_value,
    discount_rate, below_minimum_count, below_minimum_rate, order_count_year_before,
    buyer_count_year_before, sales_amount_year_before, average_order_value_year_before,
    order_count_growth, buyer_count_growth, sales_amount_growth, average_order_value_growth
"""
TRENDS = """
    order_count, buyer_count, sales_amount, average_order_value, order_count_year_before,
    buyer_count_year_before, sales_amount_year_before, average_order_value_year_before,
    order_count_growth, buyer_count_growth, sales_amount_growth, average_order_value_growth
"""
VENDORS = f"""
    select
        vendor_id as id,
        vendor_name as name,
        sales_amount as size,
        case
            when vendor_id = 'all' then 'all'
            else cast((row_number() over by_sales - 1) // {VENDORS_A_SHARD} as varchar)
        end as shard
    from bi.rpt_sales_by_period
    where period_key = 'all_time'
        and state = 'all'
    window by_sales as (
        partition by vendor_id = 'all' order by sales_amount desc nulls last, vendor_id
    )
"""


@dataclass(frozen=True, slots=True)
class Headline:
    """What was sold in a period to everyone; NULL where there was nothing."""

    period_key: str
    period_label: str
    sales_amount: Decimal | None
    order_count: int | None
    buyer_count: int | None
    average_order_value: Decimal | None


class Sales:
    """Reads the reports of sales from a published file, one data file at a time."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def vendors(self) -> list[Json]:
        """`{"id", "name", "shard"}`, `all` first, then the largest."""
        rows = self._connection.sql(
            f"select id, name, shard from ({VENDORS})"
            " order by id <> 'all', size desc nulls last, id"
        ).fetchall()
        return [dict(zip(("id", "name", "shard"), row, strict=True)) for row in rows]

    def states(self) -> list[str]:
        """`all` first, then by sales."""
        return self._column(
            "select state from bi.rpt_sales_by_period where period_key = 'all_time'"
            " and vendor_id = 'all'"
            " order by state <> 'all', sales_amount desc nulls last, state"
        )

    def periods(self) -> Json:
        """The spans on offer, in the order in which they are shown."""
        return read_table(self._connection, "from bi.rpt_periods order by position, period_key")

    def period_keys(self) -> list[str]:
        return self._column("select period_key from bi.rpt_periods order by position, period_key")

    def months(self) -> list[str]:
        """Keys of the months, the oldest first."""
        return self._column(
            "select period_key from bi.rpt_periods where period_kind = 'month' order by 1"
        )

    def headline(self) -> Headline:
        """The period that is shown first: the last twelve months, or all time without any date."""
        row = self._connection.sql(
            "select period_key, period_label, sales_amount, order_count, buyer_count,"
            " average_order_value from bi.rpt_periods left join bi.rpt_sales_by_period as sales"
            " using (period_key)"
            f" where period_key in ('{DEFAULT_PERIOD}', 'all_time')"
            " and coalesce(sales.vendor_id, 'all') = 'all'"
            " and coalesce(sales.state, 'all') = 'all'"
            f" order by period_key <> '{DEFAULT_PERIOD}' limit 1"
        ).fetchall()
        return Headline(*row[0])

    def by_period(self) -> Iterator[tuple[str, Json]]:
        """Each period with what was sold in it: in all, by vendor, and by state."""
        return self._by_period("vendor_id = 'all' or state = 'all'")

    def crossed(self) -> Iterator[tuple[str, Json]]:
        """The same by vendor and state: many rows, which only a filter asks for."""
        return self._by_period("vendor_id <> 'all' and state <> 'all'")

    def trends(self) -> Iterator[tuple[str, Json]]:
        """Each shard of vendors with what they sold, a row a vendor, state and month."""
        return read_tables(
            self._connection,
            f"select shard, period_key as month, vendor_id, state, {TRENDS}"
            f" from bi.rpt_sales_by_period inner join ({VENDORS}) as vendors on vendor_id = id"
            " where period_key in"
            " (select period_key from bi.rpt_periods where period_kind = 'month')"
            " order by shard, month, vendor_id, state <> 'all', state",
            key="shard",
        )

    def orders(self) -> Iterator[tuple[str, Json]]:
        """Each month with its orders, the newest first; those without a date come last.

        Month by month, as to sort all of them at once takes twice the memory.
        """
        months = self._column(
            f"select distinct coalesce(strftime(ordered_date, '%Y-%m'), '{UNDATED}') as month"
            " from bi.rpt_orders order by month"
        )
        for month in months:
            first_day = f"date '{month}-01'"
            when = (
                "ordered_date is null"
                if month == UNDATED
                else f"ordered_date >= {first_day} and ordered_date < {first_day} + to_months(1)"
            )
            yield (
                month,
                read_table(
                    self._connection,
                    "select order_id, order_number, ordered_date, vendor_id, buyer_id,"
                    " buyer_company_name, state, order_status, payment_status, sub_total, total,"
                    " is_open, age_bucket, is_below_minimum"
                    f" from bi.rpt_orders where {when}"
                    " order by ordered_date desc, order_number desc, order_id",
                ),
            )

    def _by_period(self, condition: str) -> Iterator[tuple[str, Json]]:
        return read_tables(
            self._connection,
            f"select period_key, vendor_id, state, {MEASURES} from bi.rpt_sales_by_period"
            f" where {condition}"
            " order by period_key, vendor_id <> 'all', vendor_id, state <> 'all', state",
            key="period_key",
            values=self.period_keys(),
        )

    def _column(self, sql: str) -> list[str]:
        return [value for (value,) in self._connection.sql(sql).fetchall()]
