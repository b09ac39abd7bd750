"""Prepared: what first views ask, answered by `figures` when the site is made.

The page could count each of these from the rows of orders and lines; but first views are of twelve
months and of those before, and an account may have a million lines there. Sums by month would not
do: numbers of different buyers do not add up, and the days asked for cut the first month and the
last.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
from msgspec import Struct

from wholesale_elt.dashboard.columnar import Json
from wholesale_elt.dashboard.facts.writing import is_published, list_members
from wholesale_elt.dashboard.scripts import write_data
from wholesale_elt.figures import (
    LINES,
    ORDERS,
    Question,
    ask,
    known_days,
    read_facts,
    read_metrics,
)

Row = Mapping[str, Any]
FOLDER = "prepared"
PERIOD, COMPARE, GRAIN = "last_12_months", "year", "month"
"""What a page asks for if nobody chose anything; the days before are compared, too."""


class Prepared(Struct, frozen=True):
    """Metrics by a dimension, or in all, and those that are wanted by month besides, or by day
    since the first of the month before, by which a pace is told."""

    fact: str
    by: str | None
    metrics: Sequence[str]
    months: Sequence[str] = ()
    daily: Sequence[str] = ()


SALES = ("sales", "orders", "orders_with_an_amount", "active_buyers")
SOLD = ("product_sales", "product_units", "product_orders", "product_buyers")
PREPARED: Mapping[str, Prepared] = {
    "orders": Prepared(ORDERS, None, (*SALES, "orders_placed"), SALES, ("sales", "orders")),
    "orders-vendor": Prepared(ORDERS, "vendor", (*SALES, "orders_below_minimum_value"), ("sales",)),
    "orders-buyer": Prepared(ORDERS, "buyer", SALES),
    "orders-state": Prepared(ORDERS, "state", ("sales", "orders")),
    "orders-buyer_kind": Prepared(ORDERS, "buyer_kind", ("active_buyers",)),
    "lines": Prepared(
        *(LINES, None, (*SOLD, "products_sold"), (*SOLD, "products_sold")),
        daily=("product_sales", "product_units"),
    ),
    "lines-buyer": Prepared(LINES, "buyer", SOLD),
    "lines-product": Prepared(LINES, "product", SOLD, ("product_sales",)),
    "lines-category": Prepared(LINES, "category", SOLD, ("product_sales",)),
}
"""By the name of the data file."""


def place_prepared(connection: duckdb.DuckDBPyConnection) -> str:
    """The folder of the data files: one for each last day, as other days are wanted of the same
    orders on the next one."""
    return f"{FOLDER}/{known_days(connection).figures_up_to or 'nothing'}"


def describe_prepared(place: str) -> Json:
    """What the page must know of it: which days, and what there is of them in that folder."""
    return {
        "place": place,
        "period": PERIOD,
        "compare": COMPARE,
        "grain": GRAIN,
        "files": {
            name: {
                "fact": each.fact,
                "by": each.by,
                "metrics": each.metrics,
                "months": each.months,
                "daily": each.daily,
            }
            for name, each in PREPARED.items()
        },
    }


def write_prepared(connection: duckdb.DuckDBPyConnection, folder: Path, place: str) -> None:
    """Write for each question what it counts of the days now and of those before."""
    spans = [*_spans(connection)]
    for name, each in PREPARED.items():
        is_known = each.by is None or is_published(connection, each.fact, each.by)
        content = _answers(connection, each, spans) if is_known else {"spans": []}
        write_data(folder, f"{place}/{name}", content)


def _spans(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """The days of each span that is known, those now first."""
    if known_days(connection).figures_up_to is None:
        return
    found = ask(connection, Question(metrics=["orders"], period=PERIOD, compare=COMPARE))
    for span in (found.span, found.span_before):
        if span and span.is_known:
            yield f"{span.first}..{span.last}"


def _answers(connection: duckdb.DuckDBPyConnection, each: Prepared, spans: Sequence[str]) -> Json:
    """What is counted: in all of each span, by member, and by month; columns end with the number
    of their span."""
    by = [each.by] if each.by else []
    units = {name: read_metrics()[name].unit for name in each.metrics}
    found = [ask(connection, Question(metrics=each.metrics, by=by, period=span)) for span in spans]
    content: Json = {
        "spans": [
            {
                "days": span,
                "total": {name: _told(answer.total[name], units[name]) for name in units},
            }
            for span, answer in zip(spans, found, strict=True)
        ]
    }
    if each.by:
        columns, places = _by_member(connection, each, [answer.rows for answer in found])
        content["rows"] = _table(columns)
    else:
        places = {None: 0}
        if each.fact == ORDERS:
            for span in content["spans"]:
                span["listed"] = _listed(connection, span["days"])
    if each.months:
        # Courses of members are drawn of the days now alone.
        content["months"] = [
            _by_month(connection, each, span, places) for span in (spans[:1] if by else spans)
        ]
    if each.daily and spans:
        content["daily"] = _by_day(connection, each)
    return content


def _by_day(connection: duckdb.DuckDBPyConnection, each: Prepared) -> Json:
    """What is counted of each day since the first of the month before that of the last day."""
    up_to = known_days(connection).figures_up_to
    assert up_to is not None
    first = (up_to.replace(day=1) - timedelta(1)).replace(day=1)
    days = f"{first}..{up_to}"
    answer = ask(connection, Question(metrics=each.daily, grain="day", period=days))
    units = {name: read_metrics()[name].unit for name in each.daily}
    columns: dict[str, Sequence[Any]] = {"day": [row["day"].isoformat() for row in answer.rows]}
    for name, unit in units.items():
        columns[name] = [_told(row[name], unit) for row in answer.rows]
    return {
        "days": days,
        "total": {name: _told(answer.total[name], units[name]) for name in units},
        "rows": {"length": len(answer.rows), "columns": columns},
    }


def _by_member(
    connection: duckdb.DuckDBPyConnection, each: Prepared, answers: Sequence[Sequence[Row]]
) -> tuple[dict[str, Sequence[Any]], Mapping[str | None, int]]:
    """Columns with a place for each member that is there in any span, and the places by key."""
    by = str(each.by)
    list_members(connection, each.fact, read_facts()[each.fact].dimensions[by])
    names = dict(connection.sql(f"select key, name from members_{by}").fetchall())
    places = {
        key: place
        for place, key in enumerate(dict.fromkeys(row[by] for rows in answers for row in rows))
    }
    columns: dict[str, Sequence[Any]] = {
        "key": [*places],
        "name": [names.get(key) for key in places],
    }
    units = {name: read_metrics()[name].unit for name in each.metrics}
    for number, rows in enumerate(answers):
        known = {row[by]: row for row in rows}
        columns[f"is_there_{number}"] = [int(key in known) for key in places]
        for name, unit in units.items():
            columns[f"{name}_{number}"] = [
                _told(known[key][name], unit) if key in known else None for key in places
            ]
    return columns, places


def _by_month(
    connection: duckdb.DuckDBPyConnection,
    each: Prepared,
    days: str,
    places: Mapping[str | None, int],
) -> Json:
    """The place of a member, a month, and what is counted of both."""
    by = [each.by] if each.by else []
    asked = Question(metrics=each.months, by=by, grain=GRAIN, period=days)
    rows = ask(connection, asked).rows
    parts = sorted(
        ((places[row[each.by] if each.by else None], row[GRAIN], row) for row in rows),
        key=lambda part: part[:2],
    )
    units = {name: read_metrics()[name].unit for name in each.months}
    return _table(
        {
            "place": [place for place, _, _ in parts],
            "day": _coded([day.isoformat() for _, day, _ in parts]),
            **{
                name: [_told(row[name], unit) for _, _, row in parts]
                for name, unit in units.items()
            },
        }
    )


def _listed(connection: duckdb.DuckDBPyConnection, days: str) -> int:
    """All orders of these days, also those that count nowhere, as a list has them."""
    [(count,)] = connection.execute(
        f"select count(*) from wholesale_marts.{ORDERS} where ordered_date between ? and ?",
        days.split(".."),
    ).fetchall()
    return int(count)


def _table(columns: Mapping[str, Any]) -> Json:
    return {"length": len(columns["key" if "key" in columns else "place"]), "columns": columns}


def _coded(texts: Sequence[str]) -> Json:
    """Texts that repeat, each once."""
    values = {text: code for code, text in enumerate(dict.fromkeys(texts))}
    return {"values": [*values], "codes": [values[text] for text in texts]}


def _told(value: Decimal | int | None, unit: str) -> str | int | None:
    """An amount as the text of a decimal, a number as such, as the page tells what it counts."""
    if value is None or unit == "count":
        return None if value is None else int(value)
    return format(Decimal(value).normalize(), "f")
