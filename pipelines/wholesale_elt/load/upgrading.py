"""Upgrading: gives a warehouse of an older release the tables and columns of this one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wholesale.api import RESOURCE
from wholesale_elt.load.writer import Writer
from wholesale_elt.runs import read_release, this_release
from wholesale_elt.warehouse import Raw, Warehouse


@dataclass(frozen=True, slots=True)
class Upgrade:
    """The result of an upgrade: the release that wrote last (None if not recorded), the one that
    writes now, and the tables and columns (as `table.column`) that were added."""

    before: str | None
    version: str
    tables: Sequence[str]
    columns: Sequence[str]


def upgrade_warehouse(warehouse: Warehouse) -> Upgrade:
    """Add the tables and columns of this release for the loaded resources, and record the release.

    No row is changed or removed. Every sync does this first; the next one continues where a killed
    one stopped.

    Raises: ConfigurationError if a newer release wrote; NotLoaded; AlreadyRunning.
    """
    warehouse.require()
    with warehouse.hold(), Writer(warehouse, run_id="") as writer:
        raw = writer.raw
        before, version = _tables(raw), read_release(raw)
        writer.prepare([name for name in RESOURCE if raw.column_names(name)])
        after = _tables(raw)
    added = [table for table in after if not before.get(table)]
    return Upgrade(
        version,
        this_release(),
        tables=sorted(added),
        columns=sorted(
            f"{table}.{column}"
            for table in after.keys() - set(added)
            for column in after[table] - before[table]
        ),
    )


def _tables(raw: Raw) -> Mapping[str, frozenset[str]]:
    """Our tables with their present columns."""
    names = [name for name in raw.schema().tables if not name.startswith("_")]
    return {name: raw.column_names(name) for name in names}
