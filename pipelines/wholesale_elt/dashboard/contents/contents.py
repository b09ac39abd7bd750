"""Contents: the data files of the site besides facts, and the tables that each is made of."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial

import duckdb

from wholesale_elt.dashboard.columnar import Json, read_table
from wholesale_elt.dashboard.contents import calls, histories
from wholesale_elt.dashboard.contents.closed import read_closed
from wholesale_elt.dashboard.contents.forecasts import FORECASTS, OUTLOOK, read_forecasts
from wholesale_elt.dashboard.contents.objects import OBJECTS
from wholesale_elt.dashboard.fulfilment import FULFILMENT, read_fulfilment
from wholesale_elt.dashboard.news import (
    OF_NAMED_ORDERS,
    OF_NEWS,
    read_differences,
    read_events,
    read_news,
)
from wholesale_elt.dashboard.tasks import TABLES, read_tasks
from wholesale_elt.figures import LINES, ORDERS, told_meanings, told_parts

COUNTED = frozenset({ORDERS, LINES})
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


@dataclass(frozen=True, slots=True)
class Content:
    """A data file, which changes only if one of the `tables` does, or with each version if it is
    not `is_kept`: what compares versions is made of tables that have no digest."""

    name: str
    tables: Set[str]
    read: Callable[[duckdb.DuckDBPyConnection], Json]
    is_kept: bool = True


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of data files, each of a part of the orders, buyers or products, so that one object
    is shown without reading all. Long texts need all of DuckDB's memory."""

    name: str
    tables: Set[str]
    read: Callable[[duckdb.DuckDBPyConnection], Iterator[tuple[str, Json]]]
    has_long_texts: bool = False


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


CONTENTS: Sequence[Content] = (
    *(_content(name, sql) for name, sql in OBJECTS.items()),
    _content("cohorts", COHORTS),
    _content("goals", GOALS),
    _content("outlook", OUTLOOK),
    Content("tasks", TABLES, read_tasks),
    Content("fulfilment", _named(" ".join(FULFILMENT.values())), read_fulfilment),
    Content("news", OF_NEWS, read_news, is_kept=False),
    Content("events", OF_NEWS, read_events, is_kept=False),
    Content("changes", frozenset({"fct_orders"}), read_differences, is_kept=False),
    Content("closed", OF_NAMED_ORDERS, read_closed, is_kept=False),
    Content("next", _named(" ".join(FORECASTS.values())), read_forecasts),
    Content("health", _named(" ".join(HEALTH.values())), partial(_tables, HEALTH)),
    Content("meanings", frozenset(), lambda _: told_meanings(), is_kept=False),
    Content("statements", COUNTED, lambda _: told_parts((ORDERS, LINES)), is_kept=False),
)

FOLDERS: Sequence[Folder] = (
    Folder("of_orders", histories.BUYERS, histories.of_orders),
    Folder("of_buyers", histories.BUYERS, histories.of_buyers),
    Folder("of_products", histories.PRODUCTS, histories.of_products, has_long_texts=True),
    Folder(calls.CALLS, calls.OF_CALLS, calls.read_calls),
)
