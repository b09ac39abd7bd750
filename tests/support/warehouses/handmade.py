"""A built warehouse in small: three reports and a mart, every row of which carries one number."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb

from wholesale_elt.dashboard import ENTRIES

TABLES = (
    "wholesale_marts.fct_orders",
    "wholesale_bi.rpt_freshness",
    "wholesale_bi.rpt_headlines",
    "wholesale_bi.rpt_sync_runs",
)
"""As they are called where they are published."""
ORDERS = 5_000


def build(
    database: Path, number: int, *, reason: str | None = None, service: str = "sandbox"
) -> None:
    """What a build leaves in the file, with that number; incomplete if there is a reason."""
    with duckdb.connect(str(database)) as connection:
        connection.execute(
            f"""
            begin;
            create schema if not exists wholesale_raw;
            create or replace table wholesale_raw.sync_runs as
            select '{service}' as service, 'run {number}' as run_id, 'complete' as verdict,
                timestamptz '2026-01-01 07:00:00+00' as ended_at;
            create schema if not exists wholesale_marts;
            create schema if not exists wholesale_bi;
            create or replace table wholesale_marts.fct_orders as
            select id as order_id, cast(id as decimal(38, 9)) as total, {number} as number
            from range({ORDERS}) as orders(id);
            create or replace table wholesale_bi.rpt_freshness as
            select
                t.resource,
                t.reason is null as is_complete,
                t.reason,
                timestamptz '2026-01-01 06:00:00+00' + to_hours(t.hour) as complete_as_of,
                timestamptz '2026-01-01 08:00:00+00' + to_seconds({number}) as built_at,
                {number} as number
            from (values ('items', null, 0), ('orders', $reason, 1)) as t(resource, reason, hour);
            create or replace table wholesale_bi.rpt_sync_runs as
            select 'run {number}' as run_id, true as is_latest, {number} as number;
            create or replace table wholesale_bi.rpt_headlines as
            select 'EUR' as currency, 'Europe/Vienna' as time_zone, {number} as number;
            commit;
        """.replace("$reason", "null" if reason is None else f"'{reason}'")
        )


def write_site(
    database: Path, folder: Path, manifest: Mapping[str, Any], take_data: object = None
) -> None:
    """A dashboard whose entries say which version they show."""
    with duckdb.connect(str(database), read_only=True) as connection:
        ((number,),) = connection.execute(
            "select number from wholesale_bi.rpt_headlines"
        ).fetchall()
    folder.mkdir()
    for page in ("index.html", *ENTRIES.values()):
        (folder / page).write_text(f"{manifest['version']}: {number}", "utf-8")
