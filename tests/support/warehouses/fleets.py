"""Fleets: a few accounts that have published, and what stands beside them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb

from support.warehouses.accounts import build_account, publish_account, rows_of
from wholesale_fleet.consolidation.manifest import FleetManifest
from wholesale_fleet.consolidation.member import AccountFolder
from wholesale_fleet.consolidation.publisher import consolidate
from wholesale_fleet.consolidation.summary import Consolidation
from wholesale_fleet.consolidation.tables import INCLUDED_TABLES

LOOKED_AT = datetime(2026, 3, 2, 6, tzinfo=UTC)
OF_SOUTH = {"currency": "'USD'", "time_zone": "'America/New_York'"}


@dataclass
class Desk:
    """A folder of accounts; `told` is what else is known of how one stands."""

    folder: Path
    names: list[str] = field(default_factory=lambda: ["east", "south", "west"])
    told: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def fleet(self) -> Path:
        return self.folder / "published" / "_fleet"

    def build(self, name: str, seed: int, *changes: str, **given: Any) -> None:
        """Build an account anew, and publish it."""
        options = {key: given.pop(key) for key in ("is_only_bi", "keep") if key in given}
        warehouse = build_account(self.folder / f"{name}.duckdb", seed, *changes, **given)
        publish_account(warehouse, self.account(name), is_even_if_incomplete=True, **options)

    def account(self, name: str) -> Path:
        return self.folder / "published" / name

    def publish(self, *, keep: int = 5) -> Consolidation:
        places = [
            AccountFolder(
                account_id=name,
                folder=self.account(name),
                **{"status": "complete", "status_as_of": LOOKED_AT, **self.told.get(name, {})},
            )
            for name in self.names
        ]
        return consolidate(places, self.fleet, keep=keep)

    @property
    def manifest(self) -> FleetManifest:
        return FleetManifest.of((self.fleet / "current.json").read_bytes())

    def rows(self, sql: str, *parameters: object) -> Sequence[tuple[Any, ...]]:
        return rows_of(self.fleet / "fleet.duckdb", sql, *parameters)

    def tables(self) -> dict[str, Sequence[tuple[Any, ...]]]:
        """Every row of every table of `fleet.duckdb`, and of the files beside it."""
        database, folder = self.fleet / "fleet.duckdb", str(self.fleet)
        with duckdb.connect(str(database), read_only=True) as connection:
            names = connection.execute(
                "select table_name from duckdb_tables() where schema_name = 'wholesale_bi'"
            ).fetchall()
            connection.execute("set timezone = 'UTC'")
            found: dict[str, Sequence[tuple[Any, ...]]] = {
                name: connection.execute(f"from wholesale_bi.{name} order by all").fetchall()
                for (name,) in names
            }
            for key in INCLUDED_TABLES:
                sql = f"from {key}(?) order by all"
                found[key] = connection.execute(sql, [folder]).fetchall()
            return found

    def inodes(self, name: str) -> dict[str, int]:
        """Those of the files that the fleet has of an account, by schema and table."""
        return {
            f"{part.schema}.{part.table}": (self.fleet / part.path).stat().st_ino
            for part in self.manifest.parts
            if part.account_id == name
        }

    def sums(self, name: str, columns: Sequence[str], table: str) -> dict[str, Decimal | int]:
        """Of a table that an account has published, added up here, row by row."""
        database = self.account(name) / "wholesale.duckdb"
        rows = rows_of(database, f"select {', '.join(columns)} from {table}")
        return {
            column: sum(row[place] for row in rows if row[place] is not None)
            for place, column in enumerate(columns)
        }


def published_accounts(folder: Path) -> "Desk":
    """Three of them, of which the one in the south counts in dollars and days of New York."""
    desk = Desk(folder)
    desk.build("east", 1)
    desk.build("west", 2)
    desk.build("south", 3, **OF_SOUTH)
    return desk
