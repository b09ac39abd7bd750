"""A warehouse with its models: built, changed by hand, copied, and asked."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from wholesale_elt.models.build import build_models
from wholesale_elt.models.running import Built
from wholesale_elt.warehouse.destination import Warehouse

Row = tuple[Any, ...]
Ask = Callable[[str], list[Row]]

OF_THE_MOMENT = {"built_at", "lag_seconds"}
"""Columns that tell when the build ran; everything else follows from what was loaded."""


@dataclass(frozen=True)
class Marts:
    """The DuckDB file with the raw tables and what is built from them."""

    database: Path

    @property
    def warehouse(self) -> Warehouse:
        return Warehouse(self.database)

    def build(self, *only: str, is_full: bool = False) -> Built:
        """All models; or, where nothing was built, these and what they read, untested."""
        return build_models(self.warehouse, is_full=is_full, only=only)

    def copy(self, folder: Path) -> "Marts":
        folder.mkdir(exist_ok=True)
        return Marts(Path(shutil.copy(self.database, folder / self.database.name)))

    def rows(self, sql: str) -> list[Row]:
        with self._reading() as ask:
            return ask(sql)

    def change(self, *statements: str) -> None:
        """What a sync may have done, or somebody by hand."""
        with duckdb.connect(str(self.database)) as connection:
            connection.execute("set timezone = 'UTC'")
            for statement in statements:
                connection.execute(statement)

    def columns(self) -> dict[str, list[str]]:
        """The columns of each table in force, by the table's qualified name."""
        with self._reading() as ask:
            return _columns(ask)

    def contents(self, *without: str) -> dict[str, list[Row]]:
        """Every row in force, in a fixed order."""
        leave = OF_THE_MOMENT | set(without)
        with self._reading() as ask:
            return {
                table: ask(
                    f"select {', '.join(name for name in columns if name not in leave)}"
                    f" from {table} order by all"
                )
                for table, columns in _columns(ask).items()
            }

    @contextmanager
    def _reading(self) -> Iterator[Ask]:
        """One connection for many questions: to open forty costs as much as a build."""
        with duckdb.connect(str(self.database), read_only=True) as connection:
            connection.execute("set timezone = 'UTC'")
            yield lambda sql: connection.execute(sql).fetchall()


def _columns(ask: Ask) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for table, column in ask(
        "select schema_name || '.' || table_name, column_name from duckdb_columns()"
        " where schema_name in ('wholesale_marts', 'wholesale_bi') order by all"
    ):
        found.setdefault(table, []).append(column)
    return found
