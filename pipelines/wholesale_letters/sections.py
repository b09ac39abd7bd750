"""Sections: what there is to do, and how the month goes, in rows of one grid."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

import duckdb

from wholesale_elt.dashboard import (
    Age,
    Formats,
    Line,
    Said,
    Words,
    address,
    lines_of,
    plain,
    read_owed,
)
from wholesale_elt.figures import Question, Span, ask, explain, line_of, read_metrics
from wholesale_letters.moments import MONTHS

Tone = Literal["up", "down", "unknown"]
MOST_TASKS = 5
METRICS = {
    "sales": "Sales",
    "orders": "Orders",
    "active_buyers": "Buyers",
    "average_order_value": "Average order",
}
NOT_KNOWN = "Not known"


@dataclass(frozen=True, slots=True)
class Version:
    """A published version, how its values are written, and how old it is."""

    connection: duckdb.DuckDBPyConnection
    write: Formats
    age: Age


@dataclass(frozen=True, slots=True)
class Row:
    """A name, why in one line, and a figure with its meaning below it."""

    title: str
    to: str
    why: Said
    value: str
    below: str
    tone: Tone | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """Rows below a heading with a note; `more` leads to all of it. Without rows it says `nothing`.
    Rows of things to do are numbered."""

    title: str
    note: str
    more: Words
    rows: Sequence[Row]
    nothing: str = ""
    is_numbered: bool = False

    def as_told(self) -> Sequence[Any]:
        """All that it says."""
        rows = [(row.title, plain(row.why), row.value, row.below) for row in self.rows]
        return [self.title, self.note, rows, self.nothing]


def to_do(version: Version) -> Section:
    """Five tasks at most, as the first page sorts them."""
    write = version.write
    lines, stateless = lines_of(version.connection, write, version.age)
    rows = [
        Row(
            *(line.title, line.to, line.reason),
            *_money(write, line),
        )
        for line in lines[:MOST_TASKS]
    ]
    nothing = "Nothing is waiting for you."
    if stateless:
        told, wait = ("has", "it waits") if stateless == 1 else ("have", "they wait")
        orders = f"{stateless:,} order{'' if stateless == 1 else 's'}"
        nothing = f"{orders} {told} no state: whether {wait} is not known. Nothing else waits."
    return Section(
        title="To do",
        note="by lateness, then money" if len(rows) > 1 else "",
        more=Words(f"All {len(lines)}" if len(lines) > len(rows) else "Today", address("today")),
        rows=rows,
        nothing=nothing,
        is_numbered=True,
    )


def _money(write: Formats, line: Line) -> tuple[str, str, Tone | None]:
    """The amount of a task and what it is, where it has one."""
    if line.money is None:
        return (NOT_KNOWN, line.unit, "unknown") if line.unit else ("", "", None)
    return write.compact(line.money), line.unit, None


def so_far(version: Version) -> Section | None:
    """The month to the last day that is over, with why each figure changed; None without orders."""
    write = version.write
    if not write.meta["figures_up_to"]:
        return None
    question = Question(metrics=list(METRICS), period="this_month", compare="period")
    found = ask(version.connection, question)
    span, before = found.span, found.span_before
    assert span is not None
    is_compared = before is not None and before.is_known
    told = explain(version.connection, question) if is_compared else ()
    why = {each.metric: line_of(each, write.compact) for each in told}
    rows = [_figure(write, name, found.total, why.get(name, ""), is_compared) for name in METRICS]
    month = MONTHS[span.first.month - 1]
    note = _days(span, before if is_compared else None, found.is_unfinished)
    if not is_compared and before is not None:
        note += f"; not compared, as orders are known from {_day(found.known.figures_from)} on"
    return Section(
        title=f"{month} so far" if found.is_unfinished else f"{month} {span.first.year}",
        note=note,
        more=Words("Sales", address("sales", period="this_month", compare="period")),
        rows=[*rows, _owed(version)],
    )


def _figure(write: Formats, name: str, total: Any, why: str, is_compared: bool) -> Row:
    value, metric = total[name], read_metrics()[name]
    text = (
        write.amount(value)
        if metric.unit == "amount"
        else f"{value:,}"
        if value is not None
        else NOT_KNOWN
    )
    is_unknown = value is None and not metric.parts
    change = write.change(value, total.get(f"{name}_before")) if is_compared else None
    tone: Tone | None = None
    if change and change[:1] in "+\u2212":
        tone = "up" if change[0] == "+" else "down"
    to = address("sales", period="this_month", compare="period", metric=name)
    told = (Words(f"{_capital(why)}."),) if why else ()
    shown = NOT_KNOWN if is_unknown else text
    return Row(METRICS[name], to, told, shown, change or "", "unknown" if is_unknown else tone)


def _owed(version: Version) -> Row:
    """What was sent and is not paid; at least, where not all of it is known."""
    owed, write = read_owed(version.connection), version.write
    least = "at least " if owed.known < owed.orders else ""
    value = write.compact(owed.amount) if owed.orders == 0 or owed.known else NOT_KNOWN
    orders = f"{owed.orders:,} order{'' if owed.orders == 1 else 's'}"
    why: Said = ()
    if owed.unknown:
        count = f"{owed.unknown:,} order{'' if owed.unknown == 1 else 's'}"
        why = (Words(f"Of {count} it is not known whether they are owed."),)
        if not owed.orders:
            return Row("Shipped and unpaid", address("orders"), why, NOT_KNOWN, count, "unknown")
    to = address("orders", period="all_time", payment="owed")
    return Row("Shipped and unpaid", to, why, f"{least}{value}", orders)


def _days(span: Span, before: Span | None, is_unfinished: bool) -> str:
    """`14 of 31 days, against` those days."""
    whole = (
        date(span.first.year + span.first.month // 12, span.first.month % 12 + 1, 1) - span.first
    ).days
    told = f"{span.days} of {whole} days" if is_unfinished else f"{span.days} days"
    if before is None:
        return told
    last = f"{before.last.day}" if before.first.month == before.last.month else _day(before.last)
    return f"{told}, against {_day(before.first)}\u2013{last}"


def _day(day: date | None) -> str:
    return f"{MONTHS[day.month - 1][:3]} {day.day}" if day else ""


def _capital(text: str) -> str:
    text = text.replace(" -", " \u2212")
    return text[:1].upper() + text[1:]
