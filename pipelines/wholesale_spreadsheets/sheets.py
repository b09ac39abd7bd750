"""Sheets: the tables that people read, of a published file: what a row is, and its rows."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from wholesale.errors import Unanswerable
from wholesale_elt.figures import Question, ask, read_metrics
from wholesale_elt.models import PUBLIC, DeclaredTable, read_contract
from wholesale_spreadsheets.columns import (
    AMOUNT,
    MOMENT,
    PERCENT,
    WHOLE,
    Column,
    column_of,
    in_currency,
)
from wholesale_spreadsheets.columns import MONTH as MONTH_FORMAT

REPORTS: Mapping[str, tuple[str, str]] = {
    "To do": ("rpt_tasks", "task_kind, position"),
    "Owed": ("rpt_receivables", "is_open desc, age_in_days desc nulls last"),
    "Days": ("rpt_daily_sales", "date_day desc, sales_amount desc"),
    "Vendors by month": ("rpt_vendor_scorecard", "month_start desc, sales_amount desc"),
    "States by month": ("rpt_geography", "month_start desc, sales_amount desc"),
    "Products": ("rpt_catalogue", "sales_amount desc nulls last"),
    "Buyers": ("rpt_reorders", "sales_amount desc"),
    "Account managers": ("rpt_account_managers", "month_start desc, sales_amount desc"),
    "Open amounts": ("rpt_payment_ageing", "open_amount desc"),
    "Below minimum": ("rpt_minimum_orders", "ordered_date desc nulls last"),
    "Orders": ("rpt_orders", "ordered_date desc nulls last, order_number desc"),
}
"""Of each sheet the report that it has, and the order of its rows, whose ties are told apart by
all columns. None of these has rows that are sums of others."""
IDS = frozenset(
    f"{of}_id"
    for of in ("order", "buyer", "vendor", "item", "variant", "product", "account_manager")
)
"""Ids of the service; any other tells rows of a report apart, and means nothing to a person."""
MONTHS, MONTH, FINISHED = "Months", "month", "is_month_finished"
OF_MONTHS = (
    *("orders", "active_buyers", "units", "sales", "net_sales", "discount_rate"),
    *("average_order_value", "billed", "returned_sales"),
)
"""The metrics of the first sheet."""
ABOUT_MONTHS = (
    "How is each month? One row per month with orders; one that is not finished may grow."
)
FORMATS: Mapping[str, str] = {
    "amount": AMOUNT,
    "count": WHOLE,
    "share": PERCENT,
    "number": AMOUNT,
}
AT_ONCE = 2_000
"""Rows that are in memory at the same time."""

Row = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table with a title; `rows` reads them."""

    title: str
    about: str
    columns: Sequence[Column]
    count: int
    rows: Callable[[], Iterator[Row]]

    @property
    def file_name(self) -> str:
        return f"{self.title.lower().replace(' ', '_')}.csv"


def read_sheets(connection: duckdb.DuckDBPyConnection, currency: str) -> Iterator[Sheet]:
    """The sheets of the published file that is connected, without those whose report it lacks."""
    connection.execute("set timezone = 'UTC'")
    yield from _months(connection, currency)
    contract = read_contract(*PUBLIC)
    for title, (name, order) in REPORTS.items():
        if found := _report(connection, title, contract[name], order, currency):
            yield found


def _months(connection: duckdb.DuckDBPyConnection, currency: str) -> Iterator[Sheet]:
    """Figures by month; none where only reports were published."""
    try:
        found = ask(connection, Question(metrics=OF_MONTHS, grain=MONTH))
    except Unanswerable:
        return
    if not found.rows:
        return
    columns = [Column(MONTH, "Month", "The month of the orders.", MONTH_FORMAT)]
    meaning = "Whether figures reach to its last day."
    columns.append(column_of(FINISHED, "BOOLEAN", None, meaning, currency))
    for metric in (read_metrics()[name] for name in OF_MONTHS):
        heading = in_currency(metric.label, currency) if metric.unit == "amount" else metric.label
        columns.append(Column(metric.name, heading, metric.meaning, FORMATS[metric.unit]))
    told = [{**row, FINISHED: not row["is_unfinished"]} for row in reversed(found.rows)]
    rows = [[row[column.name] for column in columns] for row in told]
    yield Sheet(MONTHS, ABOUT_MONTHS, columns, len(rows), lambda: iter(rows))


def _report(
    connection: duckdb.DuckDBPyConnection,
    title: str,
    declared: DeclaredTable,
    order: str,
    currency: str,
) -> Sheet | None:
    found = connection.execute(
        "select column_name, data_type from duckdb_columns()"
        " where schema_name = ? and table_name = ? order by column_index",
        [declared.schema, declared.name],
    ).fetchall()
    columns = [
        column_of(name, type_, of.unit, of.description, currency)
        for name, type_ in found
        if (of := declared.columns.get(name)) and (name in IDS or not name.endswith("_id"))
    ]
    if not columns:
        return None
    names = ", ".join(f'"{column.name}"' for column in columns)
    place = f"{declared.schema}.{declared.name}"
    [(count,)] = connection.execute(f"select count(*) from {place}").fetchall()

    def rows() -> Iterator[Row]:
        # Times without a zone, which are in UTC: with one, Python would ask for another library.
        casts = ", ".join(
            f'"{column.name}"::timestamp as "{column.name}"'
            for column in columns
            if column.format == MOMENT
        )
        told = f"select {names} from {place} order by {order}, {names}"
        query = f"select * replace ({casts}) from ({told})" if casts else told
        cursor = connection.cursor().execute(query)
        while some := cursor.fetchmany(AT_ONCE):
            yield from some

    return Sheet(title, declared.description, columns, count, rows)
