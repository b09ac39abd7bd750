"""A published folder: what its database answers, and its site once more with other words."""

import json
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb

from wholesale_elt.dashboard import write_dashboard, write_entries

ODD_NAME = """</script><img src=x onerror=alert(1)> "Ölmühle" & \u202eSons\u2028'"""


@dataclass(frozen=True)
class Publication:
    """A published folder, and SQL on it."""

    folder: Path

    def rows(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        with duckdb.connect(str(self.folder / "wholesale.duckdb"), read_only=True) as connection:
            connection.execute("set timezone = 'UTC'")
            return connection.execute(sql, parameters).fetchall()

    def columns(self) -> dict[str, list[str]]:
        """The columns of each table, by its qualified name."""
        found: dict[str, list[str]] = {}
        for table, column in self.rows(
            "select schema_name || '.' || table_name, column_name from duckdb_columns()"
            " where schema_name in ('wholesale_marts', 'wholesale_bi') order by table_oid,"
            " column_index"
        ):
            found.setdefault(table, []).append(column)
        return found

    @property
    def dashboard(self) -> str:
        """The page of the version in force, within the folder."""
        current = json.loads((self.folder / "current.json").read_text("utf-8"))
        return str(current["dashboard"])

    def orders(self, period: str, vendor: str, state: str) -> tuple[int, Decimal, int]:
        """Count, sum and buyers of the orders of a view."""
        [found] = self.rows(
            """
            select count(*), coalesce(sum(orders.sub_total), 0), count(distinct orders.buyer_id)
            from wholesale_bi.rpt_orders as orders
            inner join wholesale_bi.rpt_periods as periods
                on periods.period_kind = 'all'
                or orders.ordered_date between periods.first_day and periods.last_day
            where periods.period_key = ?
                and ? in ('all', orders.vendor_id)
                and ? in ('all', orders.state)
            """,
            period,
            vendor,
            state,
        )
        return found

    def busiest(self) -> tuple[str, str]:
        """The vendor and state that have most orders together."""
        [found] = self.rows(
            "select vendor_id, state from wholesale_bi.rpt_orders group by all"
            " order by count(*) desc, vendor_id, state limit 1"
        )
        return found

    def site(self, folder: Path, **changes: Any) -> None:
        """Write the site anew into `folder`, with other words in its manifest."""
        manifest = json.loads((self.folder / "current.json").read_text("utf-8")) | changes
        site = folder / manifest["dashboard"]
        write_dashboard(self.folder / manifest["database"]["path"], site.parent, manifest)
        write_entries(folder, manifest)
