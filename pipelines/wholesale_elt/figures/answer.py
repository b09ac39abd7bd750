"""Answer: asks a published database a question about figures."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import duckdb

from wholesale.api import typed_id
from wholesale_elt.figures.asking import Question, Unanswerable, unknown
from wholesale_elt.figures.dimensions import Dimension
from wholesale_elt.figures.periods import Span, compared, period_of
from wholesale_elt.figures.statement import Plan, members_of, plan, rows_of

Row = Mapping[str, Any]
Keys = Mapping[str, Collection[str | None]]


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures: a row for each member of the dimensions and part of the period, and their total.

    Amounts are decimals, days dates. `statement` is the SQL of the rows. Both spans are None for
    all time; the period is unfinished if days of it lie beyond `figures_up_to`.
    """

    rows: Sequence[Row]
    total: Row
    statement: str
    span: Span | None
    span_before: Span | None
    is_unfinished: bool
    figures_up_to: date | None


def ask(
    connection: duckdb.DuckDBPyConnection, question: Question, keys: Keys | None = None
) -> Figures:
    """The figures that answer a question, from the schemas of marts and reports of the connection.

    `keys` are the members that count of each filter, if they are looked up already.
    Raises: Unanswerable for names that are unknown or do not go together, for a member of a
    dimension that is nowhere, as figures of nothing would pass for an answer, and where there are
    no marts.
    """
    planned = plan(question)
    up_to = last_day(connection)
    period = period_of(question.period, up_to)
    before = compared(period, planned.compare)
    keys = keys_of(planned, question, [connection]) if keys is None else keys
    statement = rows_of(planned, planned.dimensions, keys, period.span, before)
    of_all = rows_of(planned.without_grain(), (), keys, period.span, before)
    return Figures(
        rows=_rows(connection, statement),
        total=_rows(connection, of_all)[0],
        statement=statement,
        span=period.span,
        span_before=before,
        is_unfinished=period.is_unfinished,
        figures_up_to=up_to,
    )


def last_day(connection: duckdb.DuckDBPyConnection) -> date | None:
    """The last day that figures know of."""
    try:
        rows = connection.execute("select figures_up_to from wholesale_marts.dim_as_of").fetchall()
    except duckdb.CatalogException:
        raise Unanswerable(_why_without_facts(connection)) from None
    day: date | None = rows[0][0]
    return day


def keys_of(
    planned: Plan, question: Question, connections: Sequence[duckdb.DuckDBPyConnection]
) -> Keys:
    """The keys of the members that are wanted of each filter, as any of the connections knows
    them."""
    return {
        dimension.name: _keys(
            [
                member
                for connection in connections
                for member in connection.execute(members_of(planned, dimension)).fetchall()
            ],
            dimension,
            question.where[dimension.name],
        )
        for dimension in planned.filters
    }


def _keys(
    members: Sequence[tuple[str | None, str | None]],
    dimension: Dimension,
    wanted: Sequence[str | None],
) -> Collection[str | None]:
    """The keys of the members that are wanted, by key however it is spelled, or by title."""
    found: dict[str | None, None] = {}
    for name in wanted:
        keys = [
            key
            for key, title in members
            if (key is None if name is None else typed_id(name).casefold() in _folded(key, title))
        ]
        if not keys:
            known = {title: None for _, title in members if title}
            raise unknown("null" if name is None else name, known, dimension.name)
        found |= dict.fromkeys(keys)
    return found


def _folded(*texts: str | None) -> Collection[str]:
    return {typed_id(text).casefold() for text in texts if text is not None}


def _rows(connection: duckdb.DuckDBPyConnection, statement: str) -> list[Row]:
    found = connection.execute(statement)
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def _why_without_facts(connection: duckdb.DuckDBPyConnection) -> str:
    """Why there is nothing to count: reports without it, or tables that are named otherwise."""
    has_reports = connection.execute(
        "select 1 from information_schema.tables"
        " where table_catalog = current_database() and table_schema = 'wholesale_bi' limit 1"
    ).fetchone()
    if has_reports:
        return (
            "only reports were published, and figures count the orders: publish without --only-bi"
        )
    return "another release published this, whose tables have other names: publish again"
