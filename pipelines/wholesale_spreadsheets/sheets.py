"""Sheets: the tables that people read, of a published file: what a row is, and its rows."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import duckdb

from wholesale.errors import Unanswerable
from wholesale_elt.figures import (
    ORDERS,
    Metric,
    Question,
    ask,
    read_facts,
    read_metrics,
    read_own_metrics,
)
from wholesale_elt.models import (
    BUSINESS,
    OWN_SCHEMA,
    PUBLIC,
    DeclaredColumn,
    DeclaredTable,
    read_contract,
)
from wholesale_spreadsheets.columns import (
    AMOUNT,
    MOMENT,
    PERCENT,
    WHOLE,
    Column,
    column_of,
    heading_of,
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
TAKEN = ("As of", "Columns", "History", "Months", *REPORTS)
"""Titles that no sheet of users' own has: Excel keeps `History` for itself."""
LONGEST_TITLE = 31
OWN = OWN_SCHEMA.removeprefix("wholesale_")
MONTHS, MONTH, FINISHED, SEEN_DAYS = "Months", "month", "is_month_finished", "seen_day_count"
OF_MONTHS = (
    *("orders", "active_buyers", "units", "sales", "net_sales", "discount_rate"),
    *("average_order_value", "billed", "returned_sales"),
)
"""The metrics of the first sheet."""
ABOUT_MONTHS = (
    "How is each month? One row per month with orders; one that is not finished may grow. The row"
    " without a month is of orders placed since the last day that is over, or without a date."
)
FORMATS: Mapping[str, str] = {
    "amount": AMOUNT,
    "count": WHOLE,
    "share": PERCENT,
    "number": AMOUNT,
}
ABOUT_ALL = "How much is it in all?"
UNKNOWN = DeclaredColumn("", "", "", None, None)
"""A column that is not described."""
NOT_DESCRIBED = partial(
    DeclaredTable, layer=OWN, description="", columns={}, key=(), has_one_row=False, about=BUSINESS
)
"""A table that the settings no longer name, by its name."""
SHOWN = re.compile(
    r"DECIMAL\(.*\)|DATE|TIMESTAMP( WITH TIME ZONE)?|VARCHAR|BOOLEAN|DOUBLE|FLOAT|[A-Z]*INT(EGER)?"
)
"""Types whose values are written as they are; all others as DuckDB writes them."""
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
    own = read_own_metrics()
    of_orders = [metric.name for metric in own if metric.model == ORDERS]
    yield from _months(connection, MONTHS, ABOUT_MONTHS, [*OF_MONTHS, *of_orders], currency)
    contract = read_contract(*PUBLIC)
    for title, (name, order) in REPORTS.items():
        if found := _report(connection, title, contract[name], f"{order}, ", currency):
            yield found
    yield from _added(connection, contract, own, currency)


def _added(
    connection: duckdb.DuckDBPyConnection,
    contract: Mapping[str, DeclaredTable],
    metrics: Sequence[Metric],
    currency: str,
) -> Iterator[Sheet]:
    """The tables that users added, and what they count besides orders: by month, or if it has no
    days, in all."""
    taken = {title.casefold() for title in TAKEN}
    tables = connection.execute(
        "select distinct table_name from duckdb_columns() where schema_name = ? order by all",
        [OWN_SCHEMA],
    ).fetchall()
    for (name,) in tables:
        table = contract.get(name) or NOT_DESCRIBED(name)
        title, order = _title_of(name, "", taken), "".join(f'"{each}", ' for each in table.key)
        if found := _report(connection, title, table, order, currency, has_all=True):
            yield found
    for name, fact in read_facts().items():
        names = [metric.name for metric in metrics if metric.model == name]
        if names and name != ORDERS:
            ending, about = (" by month", ABOUT_MONTHS) if fact.day else (" in all", ABOUT_ALL)
            title = _title_of(fact.alias, ending, taken)
            yield from _months(connection, title, about, names, currency, fact.day is not None)


def _title_of(name: str, ending: str, taken: set[str]) -> str:
    """A title of a sheet that no other one has, as Excel tells them apart."""
    number = 1
    while True:
        last = ending if number == 1 else f"{ending} {number}"
        title = heading_of(name)[: LONGEST_TITLE - len(last)] + last
        if title.casefold() not in taken:
            taken.add(title.casefold())
            return title
        number += 1


def _months(
    connection: duckdb.DuckDBPyConnection,
    title: str,
    about: str,
    metrics: Sequence[str],
    currency: str,
    has_days: bool = True,
) -> Iterator[Sheet]:
    """Figures by month, or in all; none where only reports were published."""
    try:
        found = ask(connection, Question(metrics=metrics, grain=MONTH if has_days else None))
    except Unanswerable:
        return
    if not found.rows:
        return
    columns = []
    if has_days:
        columns.append(Column(MONTH, "Month", "The month of the orders.", MONTH_FORMAT))
        meaning = "Whether figures reach to its last day."
        columns.append(column_of(FINISHED, "BOOLEAN", None, meaning, currency))
        meaning = "Days of it that are over."
        columns.append(column_of(SEEN_DAYS, "BIGINT", "days", meaning, currency))
    for metric in (read_metrics()[name] for name in metrics):
        heading = in_currency(metric.label, currency) if metric.unit == "amount" else metric.label
        columns.append(Column(metric.name, heading, metric.meaning, FORMATS[metric.unit]))
    told = list(found.rows)
    if has_days:
        dated = [row for row in reversed(found.rows) if row[MONTH]]
        told = [{**row, FINISHED: not row["is_unfinished"]} for row in dated]
        told += [{**row, FINISHED: None} for row in found.rows if not row[MONTH]]
    rows = [[row[column.name] for column in columns] for row in told]
    yield Sheet(title, about, columns, len(rows), lambda: iter(rows))


def _report(
    connection: duckdb.DuckDBPyConnection,
    title: str,
    declared: DeclaredTable,
    order: str,
    currency: str,
    *,
    has_all: bool = False,
) -> Sheet | None:
    """The columns of a table that are declared, without ids that mean nothing; or all of them."""
    found = connection.execute(
        "select column_name, data_type from duckdb_columns()"
        " where schema_name = ? and table_name = ? order by column_index",
        [declared.schema, declared.name],
    ).fetchall()
    columns = [
        column_of(name, type_, of.unit, of.description, currency)
        for name, type_ in found
        if (of := declared.columns.get(name, UNKNOWN if has_all else None))
        and (has_all or name in IDS or not name.endswith("_id"))
    ]
    if has_all:
        headings = [column.heading for column in columns]
        columns = [
            replace(each, heading=each.name) if headings.count(each.heading) > 1 else each
            for each in columns
        ]
    odd = [name for name, type_ in found if not SHOWN.fullmatch(type_)]
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
        texts = ", ".join(f'"{name}"::varchar as "{name}"' for name in odd)
        source = f"(select * replace ({texts}) from {place})" if odd else place
        told = f"select {names} from {source} order by {order}{names}"
        query = f"select * replace ({casts}) from ({told})" if casts else told
        cursor = connection.cursor().execute(query)
        while some := cursor.fetchmany(AT_ONCE):
            yield from some

    return Sheet(title, declared.description, columns, count, rows)
