"""Contents: the data files of the site besides facts, and the tables that each is made of."""

import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial

import duckdb

from wholesale_elt.dashboard import tasks
from wholesale_elt.dashboard.columnar import Json, read_table
from wholesale_elt.dashboard.fulfilment import FULFILMENT, read_fulfilment
from wholesale_elt.dashboard.news import (
    OF_NAMED_ORDERS,
    OF_NEWS,
    read_differences,
    read_events,
    read_news,
)
from wholesale_elt.dashboard.objects import OBJECTS
from wholesale_elt.models import OWN_SCHEMA, read_contract

MOST_ROWS = 2_000
"""Most rows of a list that grows with time, the newest first."""
HEALTH: Mapping[str, str] = {
    "headlines": "from wholesale_bi.rpt_health_headlines",
    "figures": "from wholesale_bi.rpt_headlines",
    "freshness": "from wholesale_bi.rpt_freshness order by resource",
    "latest": "from wholesale_bi.rpt_sync_runs where is_latest order by resource",
    "reconciliation": "from wholesale_bi.rpt_reconciliation order by reconciliation_id",
    "quarantine": "from wholesale_bi.rpt_quarantine order by run_id desc, resource, reason"
    f" limit {MOST_ROWS}",
    "set_aside": f"from wholesale_bi.rpt_set_aside order by set_aside_id limit {MOST_ROWS}",
    "currencies": f"from wholesale_bi.rpt_currencies order by currency_id limit {MOST_ROWS}",
    "runs": f"from wholesale_bi.rpt_sync_runs order by run_id desc, resource limit {MOST_ROWS}",
}
GOALS = (
    "select month_start, goal_metric, vendor_key, vendor_name, account_manager_id, target, so_far,"
    " day_count, seen_day_count, target_share, month_share"
    " from wholesale_bi.rpt_goals order by goal_id"
)
COHORTS = (
    "select cohort_month, cohort_buyer_count, month_number, active_buyer_count, retention_rate"
    " from wholesale_bi.rpt_buyer_cohorts where cohort_month is not null"
    " order by cohort_month, month_number"
)


LAYER = OWN = "own"
"""The layer of the tables that users added, and their data file, if there are any."""
PLAIN = re.compile(r"DECIMAL.*|DATE|TIMESTAMP WITH TIME ZONE|VARCHAR|BOOLEAN|INTEGER|BIGINT")
"""Types that the page has a form for; others are told as texts."""
NUMBERS = {"BIGINT": "count", "INTEGER": "count", "DATE": "date"}


@dataclass(frozen=True, slots=True)
class Content:
    """A data file, which changes only if one of the `tables` does, or with each version if it is
    not `is_kept`: what compares versions is made of tables that have no digest."""

    name: str
    tables: Set[str]
    read: Callable[[duckdb.DuckDBPyConnection], Json]
    is_kept: bool = True


def _tables(statements: Mapping[str, str], connection: duckdb.DuckDBPyConnection) -> Json:
    return {name: read_table(connection, sql) for name, sql in statements.items()}


def _read(sql: str, connection: duckdb.DuckDBPyConnection) -> Json:
    return read_table(connection, sql)


def _named(sql: str) -> Set[str]:
    """The marts and reports that a statement names, and those that its names are made of."""
    words = set(sql.replace(".", " ").split())
    tables = {word for word in words if word.startswith(("dim_", "fct_", "rpt_"))}
    return tables | OF_NAMED_ORDERS if "named_orders" in words else tables


def _content(name: str, sql: str) -> Content:
    return Content(name, _named(sql), partial(_read, sql))


COMMENTS = "fct_order_comments"
WRITTEN = ("author", "body")
"""Columns of comments that are published only where the policy says so."""


def _read_comments(connection: duckdb.DuckDBPyConnection) -> Json:
    """When orders were commented on, and by whom in which words, where these are published."""
    there = {
        name
        for (name,) in connection.execute(
            f"select column_name from duckdb_columns() where table_name = '{COMMENTS}'"
            " and schema_name = 'wholesale_marts' and database_name = current_database()"
        ).fetchall()
    }
    written = ", ".join(name for name in WRITTEN if name in there)
    return read_table(
        connection,
        f"select order_id, commented_at{written and f', {written}'}"
        f" from wholesale_marts.{COMMENTS} order by order_id, comment_number",
    )


CONTENTS: Sequence[Content] = (
    *(_content(name, sql) for name, sql in OBJECTS.items()),
    _content("cohorts", COHORTS),
    _content("goals", GOALS),
    Content("comments", frozenset({COMMENTS}), _read_comments),
    Content("tasks", tasks.TABLES, tasks.read_tasks),
    Content("fulfilment", _named(" ".join(FULFILMENT.values())), read_fulfilment),
    Content("news", OF_NEWS, read_news, is_kept=False),
    Content("events", OF_NEWS, read_events, is_kept=False),
    Content("changes", frozenset({"fct_orders"}), read_differences, is_kept=False),
    Content("health", _named(" ".join(HEALTH.values())), partial(_tables, HEALTH)),
)


def read_own(connection: duckdb.DuckDBPyConnection) -> Json:
    """The tables that users added, each with its description, columns, first rows, and the number
    of all its rows, by name."""
    found: dict[str, dict[str, str]] = {}
    for table, column, type_ in connection.execute(
        "select table_name, column_name, data_type from duckdb_columns()"
        " where database_name = current_database() and schema_name = ?"
        " order by table_name, column_index",
        [OWN_SCHEMA],
    ).fetchall():
        found.setdefault(table, {})[column] = type_
    contract = read_contract(LAYER)
    return {
        table: {
            "description": contract[table].description if table in contract else "",
            "columns": [[name, _kind(type_)] for name, type_ in types.items()],
            "row_count": connection.sql(f'from {OWN_SCHEMA}."{table}"')
            .aggregate("count(*)")
            .fetchall()[0][0],
            "rows": read_table(connection, _first_rows(table, types)),
        }
        for table, types in found.items()
    }


def _kind(type_: str) -> str:
    """How the page writes it."""
    return "number" if type_.startswith("DECIMAL") else NUMBERS.get(type_, "text")


def _first_rows(table: str, types: Mapping[str, str]) -> str:
    columns = (
        f'"{name}"' if PLAIN.fullmatch(type_) else f'cast("{name}" as varchar) as "{name}"'
        for name, type_ in types.items()
    )
    return f'select {", ".join(columns)} from {OWN_SCHEMA}."{table}" order by all limit {MOST_ROWS}'
