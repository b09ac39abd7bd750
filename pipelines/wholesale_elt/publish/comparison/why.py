"""Why: the causes by which the main figures of a version differ from those of an earlier one."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb

from wholesale_elt.causes import AFTER, BEFORE, Cause, Difference, difference
from wholesale_elt.figures import ALL_TIME, Question, ask, known_days
from wholesale_elt.publish.comparison.writing import Row, Rows
from wholesale_elt.publish.description import WHY, WHY_ORDERS, WHY_TOTALS, DescribedTable
from wholesale_elt.warehouse import quoted

METRICS = ("sales", "orders", "average_order_value", "active_buyers")
THIS_MONTH, LAST_MONTH = "this_month", "last_month"
MOST_ORDERS = 1_000
"""So many orders of a cause are told."""
Told = Sequence[tuple[DescribedTable, list[Row]]]


class NotExplained(Exception):
    """Causes do not add up to what a figure moved by: a fault in this tool."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """A version to compare with, or what is made of the past, which has no name; as of when it was
    complete, and when it was built."""

    compared_with: str
    version: str | None
    as_of: str | None
    built_at: datetime


@contextmanager
def attached(connection: duckdb.DuckDBPyConnection, earlier: Path) -> Iterator[None]:
    """With the DuckDB file of an earlier version as BEFORE, beside that of the next one."""
    connection.execute(f"attach {quoted(earlier)} as {BEFORE} (read_only)")
    try:
        yield
    finally:
        connection.execute(f"detach {BEFORE}")


def causes(connection: duckdb.DuckDBPyConnection, earlier: Earlier) -> Told:
    """The rows of all tables, by the causes of each figure, from the attached version on.

    Raises: NotExplained; Unanswerable, and what DuckDB raises, for a file that has no orders.
    """
    totals: list[Row] = []
    found: list[Row] = []
    orders: list[Row] = []
    for period, name in _periods(connection, BEFORE, AFTER).items():
        for metric in METRICS:
            question = Question(metrics=[metric], period=name)
            answer = difference(connection, question)
            total = answer.total
            if total.residue:
                raise NotExplained(f"{metric} of {period}: {total.residue} has no cause")
            key = {"compared_with": earlier.compared_with, "metric": metric, "period": period}
            totals.append(_total(earlier, key, total.before, total.after, total.difference))
            found += _causes(answer, key)
            if not answer.metric.parts:
                orders += [row for each in total.causes for row in _orders(each, key)]
    return (WHY_TOTALS, totals), (WHY, found), (WHY_ORDERS, orders)


def unmoved(connection: duckdb.DuckDBPyConnection, earlier: Earlier) -> Told:
    """The same where both have the same orders, days and settings, so that nothing moved: the
    earlier one need not be attached."""
    totals = []
    for period, name in _periods(connection, AFTER).items():
        values = ask(_cursor(connection, AFTER), Question(metrics=METRICS, period=name)).total
        for metric in METRICS:
            key = {"compared_with": earlier.compared_with, "metric": metric, "period": period}
            value = values[metric]
            totals.append(_total(earlier, key, value, value, None if value is None else 0))
    return ((WHY_TOTALS, totals),)


def taken_over(
    connection: duckdb.DuckDBPyConnection, compared_with: str, kept: Collection[str]
) -> Told:
    """What the attached version tells of an earlier one, which it names if that is still `kept`."""
    found = []
    for table in (WHY_TOTALS, WHY, WHY_ORDERS):
        told = connection.sql(
            f"from {BEFORE}.{table.place} where compared_with = ?", params=[compared_with]
        )
        found.append((table, told.to_arrow_table().to_pylist()))
    for row in found[0][1]:
        if row["from_version"] not in kept:
            row["from_version"] = None
    return found


def write_why(rows: Rows, told: Told) -> None:
    for table, found in told:
        rows.append(table, found)


def _periods(connection: duckdb.DuckDBPyConnection, *sides: str) -> Mapping[str, str]:
    """The periods, as a question names them, that all sides have: before its first order, and in a
    month that it does not know of, a version has none."""
    days = [known_days(_cursor(connection, side)).figures_up_to for side in sides]
    found = {ALL_TIME: ALL_TIME}
    if last := days[-1]:
        first = last.replace(day=1)
        for period, day in ((THIS_MONTH, first), (LAST_MONTH, first - timedelta(days=1))):
            if all(each and each >= day.replace(day=1) for each in days):
                found[period] = f"{day:%Y-%m}"
    return found


def _cursor(connection: duckdb.DuckDBPyConnection, database: str) -> duckdb.DuckDBPyConnection:
    cursor = connection.cursor()
    cursor.execute(f"use {database}")
    return cursor


def _total(earlier: Earlier, key: Row, before: Any, after: Any, moved: Any) -> Row:
    return {
        **key,
        "from_version": earlier.version,
        "from_as_of": earlier.as_of and datetime.fromisoformat(earlier.as_of),
        "from_built_at": earlier.built_at,
        "value_before": before,
        "value_after": after,
        "difference": moved,
    }


def _causes(answer: Difference, key: Row) -> Iterator[Row]:
    for number, each in enumerate(answer.total.causes, 1):
        yield {
            **key,
            "cause_number": number,
            "cause": each.cause,
            "fields": ", ".join(each.fields),
            "part": each.part,
            "part_amount": each.part_amount,
            "amount": each.amount,
            "order_count": each.order_count,
        }


def _orders(cause: Cause, key: Row) -> Iterator[Row]:
    by_amount = sorted(
        cause.orders, key=lambda order: (-abs(order["amount"] or 0), order["order_id"])
    )
    for order in by_amount[:MOST_ORDERS]:
        yield {**key, "cause": cause.cause, "fields": ", ".join(cause.fields), **order}
