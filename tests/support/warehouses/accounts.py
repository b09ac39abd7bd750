"""Accounts in small: built warehouses with the columns that the models promise, without dbt.

Values are drawn from a seed: amounts with nine decimals, some of them NULL, so that a sum that is
rounded or leaves a row out is another one.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb

import wholesale_elt.publish.publisher as publishing
from wholesale_elt.dashboard import ENTRIES
from wholesale_elt.publish.publisher import Published, publish_marts
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_fleet.consolidation.tables import INCLUDED_TABLES, SETTINGS
from wholesale_lineage.contract import promised_tables

ROWS = 40
ONE_ROW = {
    "wholesale_marts.dim_settings",
    "wholesale_bi.rpt_headlines",
    "wholesale_bi.rpt_freshness",
}
DRAWN: Mapping[str, str] = {
    "VARCHAR": "'{name} ' || {draw} % 7",
    "BIGINT": "cast({draw} % 1000 as bigint)",
    "BOOLEAN": "{draw} % 2 = 0",
    "DATE": "date '2026-01-01' + cast(i * 2 as integer)",
    "TIMESTAMP WITH TIME ZONE": "timestamptz '2026-01-01 00:00:00+00' + to_seconds(i)",
    "JSON": "cast('[]' as json)",
}
AMOUNT = (
    "case when {draw} % 11 <> 0 then cast("
    "{draw} % 9000000 || '.' || lpad(cast({draw} % 1000000000 as text), 9, '0') as {type}) end"
)
SAID: Mapping[str, Mapping[str, str]] = {
    "wholesale_marts.dim_settings": {
        "currency": "'EUR'",
        "time_zone": "'Europe/Vienna'",
        "is_discount_in_amounts": "false",
        "cancelled_order_statuses": "'cancelled'",
        "refunded_payment_statuses": "'refunded'",
        "lapse_days": "cast(90 as bigint)",
        "late_percentile": "cast(0.9 as decimal(13, 12))",
        "late_minimum_orders": "cast(4 as bigint)",
        "near_miss_share": "cast(0.9 as decimal(13, 12))",
        "largest_amount": "cast(1000000 as decimal(38, 9))",
        "largest_quantity": "cast(1000 as bigint)",
        "first_plausible_day": "date '2000-01-01'",
        "build_key": "'0123'",
    },
    "wholesale_bi.rpt_headlines": {"currency": "'EUR'", "time_zone": "'Europe/Vienna'"},
    "wholesale_bi.rpt_freshness": {
        "resource": "'orders'",
        "is_complete": "$reason is null",
        "reason": "$reason",
        "complete_as_of": "timestamptz '2026-03-01 06:00:00+00'",
        "built_at": "now()",
    },
}
"""By table what is no draw, in SQL, by the column."""


@cache
def columns_of(key: str) -> Mapping[str, str]:
    """The columns of a published table and their types, as its contract has them."""
    tables = promised_tables()
    properties = tables[key.partition(".")[2]]["properties"]
    return {entry["name"]: entry["physicalType"] for entry in properties}


def build_account(
    database: Path, seed: int, *changes: str, reason: str | None = None, **settings: str
) -> Warehouse:
    """What a build leaves in the file; incomplete if there is a reason; `settings` are values of
    `dim_settings` in SQL."""
    with duckdb.connect(str(database)) as connection:
        connection.execute("set timezone = 'UTC'; create schema if not exists wholesale_raw")
        connection.execute(
            "create or replace table wholesale_raw.sync_runs as"
            f" select 'service of {database.stem}' as service"
        )
        for key, taken in INCLUDED_TABLES.items():
            connection.execute(f"create schema if not exists {taken.schema}")
            chosen = ", ".join(
                f"{_value(key, name, type_, seed, settings)} as {name}"
                for name, type_ in columns_of(key).items()
            ).replace("$reason", f"'{reason}'" if reason else "cast(null as text)")
            rows = 1 if key in ONE_ROW else ROWS
            connection.execute(
                f"create or replace table {key} as select {chosen} from range({rows}) as rows(i)"
            )
        connection.execute(
            "create or replace table wholesale_bi.rpt_sync_runs as"
            f" select 'run {seed}' as run_id, true as is_latest"
        )
        for change in changes:
            connection.execute(change)
    return Warehouse(database)


def _value(key: str, name: str, type_: str, seed: int, settings: Mapping[str, str]) -> str:
    said = SAID.get(key, {})
    if name in said:
        return settings.get(name, said[name]) if name in SETTINGS else said[name]
    is_same = key == "wholesale_marts.dim_settings"  # all accounts have the defaults
    draw = f"hash(i, {0 if is_same else seed}, '{name}')"
    return DRAWN.get(type_, AMOUNT).format(name=name, draw=draw, type=type_)


def publish_account(warehouse: Warehouse, folder: Path, **options: Any) -> Published:
    """Without a dashboard, which takes longer than all else."""
    with patch.object(publishing, "write_dashboard", _write_site):
        return publish_marts(warehouse, str(folder), **options)


def _write_site(database: Path, folder: Path, manifest: Mapping[str, Any], take: object) -> None:
    folder.mkdir()
    for page in ("index.html", *ENTRIES.values()):
        (folder / page).write_text(manifest["version"], "utf-8")


def rows_of(database: Path, sql: str, *parameters: object) -> Sequence[tuple[Any, ...]]:
    """What a published file answers, times as texts in UTC."""
    with duckdb.connect(str(database), read_only=True) as connection:
        connection.execute("set timezone = 'UTC'")
        return connection.execute(sql, parameters).fetchall()
