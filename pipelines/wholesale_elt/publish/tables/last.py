"""Last version: the tables that the next version takes over where they are the same."""

from collections.abc import Mapping, Set
from pathlib import Path
from typing import Protocol

from wholesale_elt.dashboard import ShownCells
from wholesale_elt.publish.tables.sources import Source


class LastVersion(Protocol):
    """What stands of the version in force; files are put at a path only if they can be trusted."""

    def is_same(self, source: Source) -> bool:
        """Whether it has the same rows of that table, in the same columns."""

    def count(self, source: Source) -> tuple[int, int]:
        """How many rows that table has in it, and the sum of their hashes."""

    def take_database(self, path: Path) -> bool:
        """Put a copy of its DuckDB file there, to change what differs in it, if that has the tables
        of the next version and no others."""

    def take_parquet(self, source: Source, path: Path) -> bool:
        """Put the Parquet file of a table there, if it is the same."""

    def take_last_parquet(self, source: Source, path: Path) -> bool:
        """Put the Parquet file of a table there, to read it, if it has the same columns."""

    def note_changed(self, files: Mapping[ShownCells, Set[str] | None]) -> None:
        """Say in which data files of the dashboard cells are others than in the version in force;
        None where it may be any. Cells that are not named are the same."""
