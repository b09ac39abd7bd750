"""Answer: asks a published database a question about figures."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple
from unicodedata import normalize

import duckdb

from wholesale.errors import Unanswerable, legible, one_line
from wholesale_elt.figures.asking import Question, unknown
from wholesale_elt.figures.dimensions import FACTS, Dimension
from wholesale_elt.figures.periods import Span, compared, period_of
from wholesale_elt.figures.statement import Plan, members_of, plan, rows_of, tables_of
from wholesale_elt.places import known_places

Row = Mapping[str, Any]
Keys = Mapping[str, Collection[str | None]]
DAYS = """
    select * exclude (synced_at),
        strftime(synced_at at time zone 'UTC', '%Y-%m-%dT%H:%M:%SZ') as read_at
    from wholesale_marts.dim_as_of
"""
MISSING = ("null", "none", "unknown")
"""What people write who mean what is missing."""
ROWS_AT_A_TIME = 10_000
"""Rows that are in memory twice while they are fetched."""


@dataclass(frozen=True, slots=True)
class KnownDays:
    """The days that figures know of, from the first to the last that was over, None where there is
    none, and the moment in UTC at which the orders were read; what was ordered since the last is in
    all time alone."""

    figures_from: date | None
    figures_up_to: date | None
    read_at: str | None

    def since(self, day: date | None) -> "KnownDays":
        """The same where all is known from that day on, too."""
        if self.figures_from is None or day is None:
            return self
        return replace(self, figures_from=min(self.figures_from, day))

    def knows(self, span: Span) -> Span:
        """The span; `is_known` tells whether no day of it lies before the first."""
        first = self.figures_from
        return replace(span, is_known=first is None or span.first >= first)

    def knows_some_of(self, span: Span) -> Span:
        """The span; `is_known` tells whether not all of it lies before the first day."""
        first = self.figures_from
        return replace(span, is_known=first is None or span.last >= first)


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures: a row for each member of the dimensions and part of the period, and their total.

    Amounts are decimals, days dates. `statement` is the SQL of the rows. Both spans are None for
    all time; the period is unfinished if days of it lie beyond the last day that is known, as those
    of all time do. `notes` are sentences on what is not known.
    """

    rows: Sequence[Row]
    total: Row
    statement: str
    span: Span | None
    span_before: Span | None
    is_unfinished: bool
    known: KnownDays
    notes: Sequence[str] = ()


def ask(
    connection: duckdb.DuckDBPyConnection,
    question: Question,
    keys: Keys | None = None,
    known_from: date | None = None,
) -> Figures:
    """The figures that answer a question, from the schemas of marts and reports of the connection.

    `keys` are the members that count of each filter, if they are looked up already. All is known
    from the first sale on, or from the day `known_from` if that is earlier.
    Raises: Unanswerable for names that are unknown or do not go together, for a member of a
    dimension that is nowhere, or that no metric counts, as figures of nothing would pass for an
    answer, and where there are no marts.
    """
    planned = plan(question)
    known = known_days(connection).since(known_from)
    _require_there(connection, planned)
    period = period_of(question.period, known.figures_up_to)
    span = known.knows_some_of(period.span) if period.span else None
    before = compared(period, planned.compare)
    before = known.knows(before) if before else None
    keys = keys_of(planned, question, [connection]) if keys is None else keys
    spans = (span, before, known.figures_up_to)
    statement = rows_of(planned, planned.dimensions, keys, *spans)
    of_all = rows_of(planned.without_grain(), (), keys, *spans)
    try:
        rows = _rows(connection, statement)
    except (duckdb.BinderException, duckdb.CatalogException) as error:
        raise Unanswerable(
            f"{', '.join(question.metrics)} cannot be counted here, as another release built it,"
            f" or nothing of [build] models and metrics is in it: {one_line(error)}"
        ) from None
    return Figures(
        rows=rows,
        total=_rows(connection, of_all)[0],
        statement=statement,
        span=span,
        span_before=before,
        is_unfinished=period.is_unfinished or (span is None and planned.fact.day is not None),
        known=known,
        notes=[*_notes(span, before, known), *_of_no_part(rows, question.grain, known)],
    )


def _require_there(connection: duckdb.DuckDBPyConnection, planned: Plan) -> None:
    """Raises: Unanswerable for a dimension that users added after this version was built."""
    ours = FACTS[planned.table].dimensions if planned.table in FACTS else {}
    for each in (*planned.dimensions, *planned.filters):
        if each.name not in ours:
            try:
                connection.execute(f"select {each.key} {tables_of(planned, [each])} limit 0")
            except (duckdb.BinderException, duckdb.CatalogException):
                raise Unanswerable(
                    f"{each.name} is not in the version that was asked: build and publish again,"
                    " and ask of versions since"
                ) from None


def _notes(span: Span | None, before: Span | None, known: KnownDays) -> Iterator[str]:
    first = known.figures_from
    if before and not before.is_known:
        yield f"days before {first} are not known; nothing to compare"
    elif span and first and span.first < first:
        yield f"days before {first} are not known"


def _of_no_part(rows: Sequence[Row], grain: str | None, known: KnownDays) -> Iterator[str]:
    if grain and any(row[grain] is None for row in rows):
        yield f"what is of a day after {known.figures_up_to}, or of none, is in no {grain}"


def known_days(connection: duckdb.DuckDBPyConnection) -> KnownDays:
    """The days that figures know of. A version of an earlier release does not tell the first."""
    try:
        found = _rows(connection, DAYS)[0]
    except duckdb.CatalogException:
        raise Unanswerable(_why_without_facts(connection)) from None
    return KnownDays(found.get("figures_from"), found["figures_up_to"], found["read_at"])


def keys_of(
    planned: Plan, question: Question, connections: Sequence[duckdb.DuckDBPyConnection]
) -> Keys:
    """The keys of the members that are wanted of each filter, as any of the connections knows
    them."""
    return {
        dimension.name: _keys(
            [
                Member(*member)
                for connection in connections
                for member in connection.execute(members_of(planned, dimension)).fetchall()
            ],
            planned,
            dimension,
            question.where[dimension.name],
        )
        for dimension in planned.filters
    }


class Member(NamedTuple):
    """A member of a dimension; `counts` tells whether what is asked for counts something of it, and
    the others what its orders are."""

    key: str | None
    title: str | None
    counts: bool
    has_sales: bool
    has_cancelled: bool


def _keys(
    members: Sequence[Member], planned: Plan, dimension: Dimension, wanted: Sequence[str | None]
) -> Collection[str | None]:
    """The keys of the members that are wanted."""
    if not wanted:
        raise Unanswerable(f"the list of {dimension.name} is empty, and nothing is in it")
    found: dict[str | None, None] = {}
    for name in wanted:
        chosen = _chosen(members, dimension, name)
        if not any(member.counts for member in chosen):
            told = "null" if name is None else legible(name)
            raise Unanswerable(
                f"{planned.metrics[0].name} counts nothing of {dimension.name} {told}, whatever"
                f" there is{_instead(planned, chosen)}"
            )
        found |= dict.fromkeys(member.key for member in chosen)
    return found


def _instead(planned: Plan, chosen: Sequence[Member]) -> str:
    """What to ask of members that no metric of the plan counts."""
    is_amount = planned.metrics[0].unit == "amount"
    if any(member.has_sales for member in chosen):
        return f": ask {'sales' if is_amount else 'orders'}"
    if any(member.has_cancelled for member in chosen):
        return f", as it is cancelled: ask {'cancelled_sales' if is_amount else 'cancelled_orders'}"
    return ", as it is deleted"


def _chosen(members: Sequence[Member], dimension: Dimension, name: str | None) -> Sequence[Member]:
    """The members of that key, a GUID or a place however it is spelled; else of that name; else of
    a key or a name that is spelled nearly so, if that is one alone.

    Raises: Unanswerable if there is none, or if it may be several.
    """
    called = dimension.name
    if name is None:
        if chosen := [each for each in members if each.key is None]:
            return chosen
        raise Unanswerable(f"none is without a {called}: name one after {called}=")
    from wholesale.api import plain_guid  # with all records of the API

    guid, text = plain_guid(name.strip()), normalize("NFC", name)
    keyed = [(each, each.key) for each in members if each.key is not None]
    if dimension.is_place:  # also as a version of an earlier release spells it
        place = known_places().place
        name = place(name)
        keyed = [(each, place(key)) for each, key in keyed]
    if chosen := [each for each, key in keyed if key in (name, guid)]:
        return chosen
    titled = [(each, normalize("NFC", each.title)) for each in members if each.title is not None]
    if chosen := [each for each, title in titled if title == text]:
        return chosen
    for named in (keyed, titled):
        folded = _folded(name) or None  # blanks are no name
        alike = [(each, told) for each, told in named if _folded(told) == folded]
        spelled = {told: None for _, told in alike}
        if len(spelled) > 1:
            names = ", ".join(repr(told[:80]) for told in spelled)
            raise Unanswerable(
                f"{name[:80]!r} may be one of several: write {called} as one of {names}"
            )
        if alike:
            return [each for each, _ in alike]
    error = unknown(name, {title: None for _, title in titled if title}, called)
    if name.casefold() in MISSING:
        raise Unanswerable(f"{error}; those without a {called} are {called}= (null for agents)")
    raise error


def _folded(text: str) -> str:
    return normalize("NFC", " ".join(text.split()).casefold())


def _rows(connection: duckdb.DuckDBPyConnection, statement: str) -> list[Row]:
    found = connection.execute(statement)
    names = [column[0] for column in found.description]
    rows: list[Row] = []
    while some := found.fetchmany(ROWS_AT_A_TIME):
        rows.extend(dict(zip(names, row, strict=True)) for row in some)
    return rows


def _why_without_facts(connection: duckdb.DuckDBPyConnection) -> str:
    """Why there is nothing to count: reports without it, or tables that are named otherwise."""
    has_reports = connection.execute(
        "select 1 from information_schema.tables"
        " where table_catalog = current_database() and table_schema = 'wholesale_bi' limit 1"
    ).fetchall()
    if has_reports:
        return (
            "only reports were published, and figures count the orders: publish without --only-bi"
        )
    return "another release published this, whose tables have other names: publish again"
