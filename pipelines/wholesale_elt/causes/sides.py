"""Sides: two attached databases, and what is to be known of both before a row is compared."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Self

import duckdb

from wholesale.errors import Unanswerable
from wholesale_elt.causes.effects import AFTER, BEFORE, SIDES, Comparison
from wholesale_elt.causes.own import own_rows
from wholesale_elt.figures import KnownDays, Plan, Question, keys_of, known_days, period_of, plan
from wholesale_elt.models import OWN_SCHEMA

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SettingChange:
    """A setting that the versions were not built alike with."""

    setting: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Both:
    """What is known of both attached databases, whatever is asked: a connection to each, the days
    of its figures, and the settings that differ."""

    connections: Mapping[str, duckdb.DuckDBPyConnection]
    known: Mapping[str, KnownDays]
    settings: Sequence[SettingChange]
    complete_as_of: str | None
    are_judged_later: bool
    moved: dict[str, bool] = field(default_factory=dict)
    """Whether units differ, by the statement that asks for one: versions never change."""

    @classmethod
    def of(cls, connection: duckdb.DuckDBPyConnection) -> Self:
        """Of the attached databases BEFORE and AFTER. Raises: Unanswerable without facts."""
        connections = {}
        for side, database in SIDES.items():
            connections[side] = connection.cursor()
            connections[side].execute(f"use {database}")
        return cls(
            connections,
            {side: known_days(each) for side, each in connections.items()},
            _settings(connection),
            _orders_as_of(connection),
            _judged(connection),
        )

    @property
    def known_from(self) -> date | None:
        """The first day of both: what one of them knew, the other knows, even if the first sale is
        cancelled since, or an earlier one was found."""
        days = [each.figures_from for each in self.known.values() if each.figures_from]
        return min(days, default=None)


@dataclass(frozen=True, slots=True)
class Sides:
    """What is known of both databases, and what is asked of them."""

    both: Both
    asked: Comparison


def sides_of(
    connection: duckdb.DuckDBPyConnection, question: Question, both: Both | None = None
) -> Sides:
    """What a question of one metric is, asked of the attached databases BEFORE and AFTER; who asks
    many knows `both` before.

    Each is asked for the days that its own last day makes of the period.
    Raises: Unanswerable for more than one metric, and as `ask` does.
    """
    if len(question.metrics) != 1 or question.grain or question.compare != "none":
        raise Unanswerable("name one metric, and neither a grain nor a comparison")
    planned = plan(question)
    is_own = planned.fact.schema == OWN_SCHEMA
    own = own_rows(planned, _columns(connection, planned)) if is_own else None
    both = both or Both.of(connection)
    asked = Comparison(
        plan=planned,
        keys=keys_of(planned, question, list(both.connections.values())),
        spans={
            side: period_of(question.period, known.figures_up_to).span
            for side, known in both.known.items()
        },
        complete_as_of=both.complete_as_of,
        settings=[change.setting for change in both.settings],
        are_judged_later=both.are_judged_later,
        own=own,
    )
    return Sides(both, asked)


def rows_of(connection: duckdb.DuckDBPyConnection, statement: str) -> list[Row]:
    found = connection.execute(statement)
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def _settings(connection: duckdb.DuckDBPyConnection) -> list[SettingChange]:
    """Those that differ, but for the hash of all settings and of the SQL."""
    settings = "select * exclude (build_key) from {}.wholesale_marts.dim_settings"
    rows = [rows_of(connection, settings.format(each))[0] for each in SIDES.values()]
    before, after = rows
    return [
        SettingChange(name, *(None if row.get(name) is None else str(row[name]) for row in rows))
        for name in {**before, **after}
        if before.get(name) != after.get(name)
    ]


def _columns(connection: duckdb.DuckDBPyConnection, planned: Plan) -> Collection[str]:
    """The columns of the table that is counted, in the later version."""
    found = connection.execute(
        "select column_name from duckdb_columns()"
        " where (database_name, schema_name, table_name) = (?, ?, ?)",
        [AFTER, planned.fact.schema, planned.table],
    ).fetchall()
    return {name for (name,) in found}


def _judged(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether buyers are judged as of another day."""
    ((is_later,),) = connection.execute(
        "select a.as_of_date is distinct from b.as_of_date"
        f" from {BEFORE}.wholesale_marts.dim_as_of as a, {AFTER}.wholesale_marts.dim_as_of as b"
    ).fetchall()
    return bool(is_later)


def _orders_as_of(connection: duckdb.DuckDBPyConnection) -> str | None:
    """As of when the earlier version had all orders, which tells new ones from those found late;
    other lists may be read less often."""
    found = connection.execute(
        "select strftime(complete_as_of at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%fZ')"
        f" from {BEFORE}.wholesale_bi.rpt_freshness where resource = 'orders'"
    ).fetchall()
    return found[0][0] if found else None
