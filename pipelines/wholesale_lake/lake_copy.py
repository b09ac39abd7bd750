"""Lake copy: the working copy of a lake on this machine, a DuckDB file, and what is known of it."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from wholesale_elt.process import replace
from wholesale_elt.runs import as_utc
from wholesale_elt.warehouse import RAW_DATASET, DuckDBFile, DuckDBRaw

FRESHNESS = "wholesale_bi.rpt_freshness"
"""The report that says when the models in the copy were built."""
MODELS = (
    "wholesale_staging",
    "wholesale_own",
    "wholesale_bi",
    "wholesale_marts",
    "wholesale_history",
    "wholesale_build",
)


class CopyRaw(DuckDBRaw):
    """The dataset in the working copy of a lake; it records whether it was changed."""

    is_changed = False
    renew: Callable[[], None] | None = None
    built_elsewhere: Callable[[str], bool] = staticmethod(lambda name: False)

    def has_schema(self, name: str) -> bool:
        return super().has_schema(name) or self.built_elsewhere(name)

    def append(self, table: str, rows: pa.Table) -> None:
        self.is_changed |= RAW_DATASET in table
        super().append(table, rows)

    def execute(self, sql: str, *parameters: Any) -> None:
        self.is_changed |= RAW_DATASET in sql
        super().execute(sql, *parameters)

    def commit(self) -> None:
        super().commit()
        if self.renew:
            self.renew()


class WorkingCopy:
    """The copy in a folder, which may be lost at any time."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "copy.duckdb"
        self.ahead = folder / "ahead"
        """A file that exists while the copy may have changes that the lake lacks."""
        self._version = folder / "version"

    @property
    def file(self) -> DuckDBFile:
        return DuckDBFile(self.path, CopyRaw)

    def version(self) -> str | None:
        """The version of the lake that the copy was made of."""
        return self._version.read_text() if self._version.exists() else None

    def note_version(self, version: str | None) -> None:
        if version is not None:
            replace(self._version, lambda path: path.write_text(version))

    def discard(self) -> None:
        """Remove the copy, first all that tells of it."""
        log = self.path.with_name(f"{self.path.name}.wal")
        for path in (self._version, self.ahead, log, self.path):
            path.unlink(missing_ok=True)

    def holds_records(self) -> bool:
        with self.file.open(is_read_only=True) as raw:
            return raw.has_records()

    def built_at(self) -> datetime | None:
        """When the models in the copy were built; None if there are none."""
        if not self.path.exists():
            return None
        with self.file.open(is_read_only=True) as raw:
            rows = raw.rows(f"select max(built_at) from {FRESHNESS}")
            return as_utc(rows[0][0]) if rows else None

    def forget_models(self) -> None:
        """Remove the models; what another program is reading stays."""
        if self.built_at() is None:
            return
        with suppress(duckdb.IOException), self.file.open(is_read_only=False) as raw:
            for schema in MODELS:
                raw.execute(f"drop schema if exists {schema} cascade")
