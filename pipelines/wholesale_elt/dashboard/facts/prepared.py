"""Prepared: what first views ask, answered by `figures` when the site is made.

The page could count each of these from the rows of orders and lines; but first views are of twelve
months and of those before, and an account may have a million lines there. Sums by month would not
do: numbers of different buyers do not add up, and the days asked for cut the first month and the
last.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
from msgspec import Struct

from wholesale_elt.dashboard.columnar import Json
from wholesale_elt.dashboard.facts import writing
from wholesale_elt.dashboard.facts.writing import BELOW, is_published, list_members
from wholesale_elt.dashboard.scripts import write_data
from wholesale_elt.figures import (
    LINES,
    ORDERS,
    Figures,
    Question,
    ask,
    known_days,
    read_facts,
    read_metrics,
)
from wholesale_elt.process import budget

Row = Mapping[str, Any]
FOLDER = "prepared"
PERIOD, COMPARE, GRAIN = "last_12_months", "year", "month"
"""What a page asks for if nobody chose anything; the days before are compared, too."""


class Prepared(Struct, frozen=True):
    """Metrics by a dimension, or in all, and those that are wanted by month besides."""

    fact: str
    by: str | None
    metrics: Sequence[str]
    months: Sequence[str] = ()


SALES = ("sales", "orders", "orders_with_an_amount", "active_buyers")
SOLD = ("product_sales", "product_units", "product_orders", "product_buyers")
PREPARED: Mapping[str, Prepared] = {
    "orders": Prepared(ORDERS, None, (*SALES, "orders_placed"), SALES),
    "orders-vendor": Prepared(ORDERS, "vendor", (*SALES, "orders_below_minimum_value"), ("sales",)),
    "orders-buyer": Prepared(ORDERS, "buyer", SALES),
    "orders-state": Prepared(ORDERS, "state", ("sales", "orders")),
    "orders-buyer_kind": Prepared(ORDERS, "buyer_kind", ("active_buyers",)),
    "lines": Prepared(LINES, None, (*SOLD, "products_sold"), (*SOLD, "products_sold")),
    "lines-buyer": Prepared(LINES, "buyer", SOLD),
    "lines-product": Prepared(LINES, "product", SOLD, ("product_sales",)),
    "lines-category": Prepared(LINES, "category", SOLD, ("product_sales",)),
}
"""By the name of the data file."""
ORDERS_IN_ALL = "orders"
OF = "vendor"
OF_VENDORS: Mapping[str, Prepared] = {
    "orders": Prepared(ORDERS, None, SALES, SALES),
    "orders-buyer": Prepared(ORDERS, "buyer", SALES, ("sales",)),
    "lines-product": Prepared(LINES, "product", SOLD, ("product_sales",)),
}
"""What the page of a vendor asks of that vendor alone, by the name within its file."""
AT_A_TIME = 20
"""Vendors whose answers are in memory together."""
COUNTS = ("placed", "cancelled", "below", "near")
NO_ORDERS: Json = {**dict.fromkeys(COUNTS, 0), "near_sales": "0", "states": []}


def place_prepared(connection: duckdb.DuckDBPyConnection) -> str:
    """The folder of the data files: one for each last day, as other days are wanted of the same
    orders on the next one."""
    return f"{FOLDER}/{known_days(connection).figures_up_to or 'nothing'}"


def describe_prepared(connection: duckdb.DuckDBPyConnection, place: str) -> Json:
    """What the page must know of it: which days, and what there is of them in that folder."""
    return {
        "place": place,
        "period": PERIOD,
        "compare": COMPARE,
        "grain": GRAIN,
        "files": _described(PREPARED),
        "of": {OF: _described(OF_VENDORS)} if _are_of_vendors(connection) else {},
    }


def _described(prepared: Mapping[str, Prepared]) -> Json:
    return {
        name: {
            "fact": each.fact,
            "by": each.by,
            "metrics": each.metrics,
            "months": each.months,
        }
        for name, each in prepared.items()
    }


def write_prepared(connection: duckdb.DuckDBPyConnection, folder: Path, place: str) -> None:
    """Write for each question what it counts of the days now and of those before."""
    spans = [*_spans(connection)]
    for name, each in PREPARED.items():
        write_data(folder, f"{place}/{name}", _answer(connection, name, each, spans))
        budget.hold_back(connection)
    if spans and _are_of_vendors(connection):
        _write_of_vendors(connection, folder, place, spans)


def _answer(
    connection: duckdb.DuckDBPyConnection, name: str, each: Prepared, spans: Sequence[str]
) -> Json:
    """The data of a question of all; no other is held while it is asked."""
    if each.by and not is_published(connection, each.fact, each.by):
        return {"spans": []}
    [found] = _counted(connection, each, spans, {}).values()
    content = _content(each, spans, found, _names(connection, each))
    if name == ORDERS_IN_ALL:
        for span in content["spans"]:
            span["listed"] = _listed(connection, span["days"])
    return content


def _are_of_vendors(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether there are answers of each vendor: pages count few lines in a moment."""
    dimensions = [(each.fact, each.by) for each in OF_VENDORS.values() if each.by]
    [(lines,)] = connection.sql(f"select count(*) from wholesale_marts.{LINES}").fetchall()
    return lines > writing.MOST_COUNTED and all(
        is_published(connection, fact, by) for fact, by in [(ORDERS, OF), *dimensions]
    )


def _write_of_vendors(
    connection: duckdb.DuckDBPyConnection, folder: Path, place: str, spans: Sequence[str]
) -> None:
    """Write a file for each vendor, called by its code: its answers, and how its orders went."""
    list_members(connection, ORDERS, read_facts()[ORDERS].dimensions[OF])
    codes = dict(connection.sql(f"select key, code from members_{OF} order by code").fetchall())
    scores = _scores(connection, spans[0])
    names = {name: _names(connection, each) for name, each in OF_VENDORS.items()}
    for start in range(0, len(codes), AT_A_TIME):
        keys = [*codes][start : start + AT_A_TIME]
        found = {
            name: _counted(connection, each, spans, {OF: keys}) for name, each in OF_VENDORS.items()
        }
        for key in keys:
            content = {
                name: _content(each, spans, found[name][key], names[name])
                for name, each in OF_VENDORS.items()
            }
            score = scores.get(key, NO_ORDERS)
            write_data(folder, f"{place}/of_{OF}-{codes[key]}", {**content, "score": score})


def _scores(connection: duckdb.DuckDBPyConnection, days: str) -> Mapping[str, Json]:
    """How the orders of each vendor went: those placed, cancelled, below a minimum or nearly so,
    and how many are in each state."""
    source = (
        f"from wholesale_marts.{ORDERS} as orders left join wholesale_bi.{BELOW} as below"
        " using (order_id) where not orders.is_deleted and orders.ordered_date between ? and ?"
    )
    states: dict[str, list[Sequence[Any]]] = {}
    for key, state, count in connection.execute(
        f"select orders.vendor_key, orders.order_status, count(*) {source} and orders.is_sale"
        " group by all order by all",
        days.split(".."),
    ).fetchall():
        states.setdefault(key, []).append((state, count))
    scores = connection.execute(
        "select orders.vendor_key, count(*), count(*) filter (where not orders.is_sale),"
        " count(below.is_near_miss) filter (where orders.is_sale),"
        " count(*) filter (where orders.is_sale and below.is_near_miss),"
        f" sum(orders.sub_total) filter (where orders.is_sale and below.is_near_miss) {source}"
        " group by all",
        days.split(".."),
    ).fetchall()
    return {
        key: {
            **dict(zip(COUNTS, counts, strict=True)),
            "near_sales": _told(amount or 0, "amount"),
            "states": states.get(key, []),
        }
        for key, *counts, amount in scores
    }


def _spans(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """The days of each span that is known, those now first."""
    if known_days(connection).figures_up_to is None:
        return
    found = ask(connection, Question(metrics=["orders"], period=PERIOD, compare=COMPARE))
    for span in (found.span, found.span_before):
        if span and span.is_known:
            yield f"{span.first}..{span.last}"


Rows = Mapping[str | None, tuple[Sequence[Row], Row]]
"""Rows and their total, of all or by member."""


class Counted(Struct):
    """What is counted: in all of each span and by member of each, and by month."""

    totals: list[Row]
    rows: list[Sequence[Row]]
    months: list[Sequence[Row]]


def _counted(
    connection: duckdb.DuckDBPyConnection,
    each: Prepared,
    spans: Sequence[str],
    where: Mapping[str, Sequence[str]],
) -> Mapping[str | None, Counted]:
    """What is counted in all, or of each member that `where` names of its dimension."""
    [keys] = where.values() or [[None]]
    found = {key: Counted([], [], []) for key in keys}
    by = [each.by] if each.by else []

    def answered(metrics: Sequence[str], by: Sequence[str], days: str, grain: str | None) -> Rows:
        asked = Question(metrics=metrics, by=[*where, *by], where=where, period=days, grain=grain)
        return _apart(ask(connection, asked), [*where], keys)

    for span in spans:
        for key, (rows, total) in answered(each.metrics, by, span, None).items():
            found[key].rows.append(rows)
            found[key].totals.append(total)
        if where and by:
            for key, (_, total) in answered(each.metrics, [], span, None).items():
                found[key].totals[-1] = total
    # Courses of members are drawn of the days now alone.
    for span in (spans[:1] if by else spans) if each.months else ():
        for key, (rows, _) in answered(each.months, by, span, GRAIN).items():
            found[key].months.append(rows)
    return found


def _apart(answer: Figures, outer: Sequence[str], keys: Sequence[str | None]) -> Rows:
    """The rows and the total of an answer; or of each of these members, of which the total is the
    only row if there are no other dimensions."""
    if not outer:
        return {None: (answer.rows, answer.total)}
    [name] = outer
    own: dict[str | None, list[Row]] = {key: [] for key in keys}
    for row in answer.rows:
        own[row[name]].append(row)
    nothing = dict.fromkeys(answer.total, 0)
    return {key: (rows, rows[0] if rows else nothing) for key, rows in own.items()}


def _content(
    each: Prepared, spans: Sequence[str], found: Counted, names: Mapping[str | None, str | None]
) -> Json:
    """The data of a question; columns end with the number of their span."""
    units = {name: read_metrics()[name].unit for name in each.metrics}

    def told(row: Row, metrics: Sequence[str]) -> Json:
        return {name: _told(row[name], units[name]) for name in metrics}

    content: Json = {
        "spans": [
            {"days": span, "total": told(total, each.metrics)}
            for span, total in zip(spans, found.totals, strict=True)
        ]
    }
    places: Mapping[str | None, int] = {None: 0}
    if each.by:
        columns, places = _by_member(each, found.rows, names)
        content["rows"] = _table(columns)
    if each.months:
        content["months"] = [_by_month(each, rows, places) for rows in found.months]
    return content


def _names(
    connection: duckdb.DuckDBPyConnection, each: Prepared
) -> Mapping[str | None, str | None]:
    """What the members of its dimension are called, by key."""
    if not each.by:
        return {}
    list_members(connection, each.fact, read_facts()[each.fact].dimensions[each.by])
    return dict(connection.sql(f"select key, name from members_{each.by}").fetchall())


def _by_member(
    each: Prepared, answers: Sequence[Sequence[Row]], names: Mapping[str | None, str | None]
) -> tuple[dict[str, Sequence[Any]], Mapping[str | None, int]]:
    """Columns with a place for each member that is there in any span, and the places by key."""
    by = str(each.by)
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


def _by_month(each: Prepared, rows: Sequence[Row], places: Mapping[str | None, int]) -> Json:
    """The place of a member, a month, and what is counted of both."""
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
