"""Last version: the tables that the next version takes over where they are the same."""

from collections.abc import Mapping, Set
from pathlib import Path
from typing import Protocol

from wholesale_elt.dashboard import ShownCells
from wholesale_elt.publish.tables.sources import Source


class LastVersion(Protocol):
    """The version in force; its files are taken only if they match their hashes."""

    def is_same(self, source: Source) -> bool:
        """Whether it has that table with the same rows and columns."""

    def count(self, source: Source) -> tuple[int, int]:
        """How many rows it has of that table, and the sum of their hashes."""

    def take_database(self, path: Path) -> bool:
        """Put a copy of its DuckDB file there, to be changed, if it has exactly the tables of the
        next version."""

    def take_parquet(self, source: Source, path: Path) -> bool:
        """Put the Parquet file of a table there, if the table is the same."""

    def take_last_parquet(self, source: Source, path: Path) -> bool:
        """Put the Parquet file of a table there, to be read, if the table has the same columns."""

    def note_changed(self, files: Mapping[ShownCells, Set[str] | None]) -> None:
        """Note in which data files of the dashboard cells have changed, None if it can be any file.
        Cells that are not named are unchanged."""
