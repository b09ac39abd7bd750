"""Told: what the SQL models say of a history, as it was known on each day of it."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import duckdb
import pyarrow as pa

from benchmarks.histories import Order
from wholesale_elt.models import read_project
from wholesale_elt.warehouse import DuckDBRaw

MODELS = re.compile("int_purchase_days|int_forecast.*|rpt_due_weeks|rpt_forecast_record.*")
LATE_PERCENTILE = 0.9
"""As the project sets it, where nobody sets it otherwise."""


@contextmanager
def told(orders: Sequence[Order]) -> Iterator[duckdb.DuckDBPyConnection]:
    """The models as tables in memory; the last day of the history is over."""
    with duckdb.connect(config={"threads": 1}) as connection:
        columns = zip(*orders, strict=True)
        rows = pa.table(dict(zip(Order._fields, map(pa.array, columns), strict=True)))
        connection.register("orders", rows)
        connection.execute(
            "create table fct_orders as select row_number() over () as order_id, *,"
            "  true as is_sale, false as is_return from orders;"
            " create table int_order_events (order_id bigint, event_kind text);"
            " create table int_as_of as select min(ordered_date) as figures_from,"
            "  max(ordered_date) as figures_up_to from orders;"
            " create table dim_dates as select cast(unnest(generate_series("
            "  figures_from, figures_up_to + 31, interval 1 day)) as date) as date_day"
            " from int_as_of;"
            " create schema wholesale_build; create table wholesale_build.settings as select"
            f" {LATE_PERCENTILE} as late_percentile"
        )
        for model in read_project(DuckDBRaw.dialect).models:
            if MODELS.fullmatch(model.name):
                connection.execute(f"create table {model.name} as {model.sql}")
        yield connection
