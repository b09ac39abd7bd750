"""Upgrading: a warehouse that an older version wrote has the tables and columns of this one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wholesale.api import RESOURCE
from wholesale_elt.load.writer import Writer
from wholesale_elt.runs import read_version, this_version
from wholesale_elt.warehouse import Raw, Warehouse


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What an upgrade did: which version wrote last (None where it did not say so), which one does
    now, and the tables and columns (as `table.column`) that were added."""

    before: str | None
    version: str
    tables: Sequence[str]
    columns: Sequence[str]


def upgrade_warehouse(warehouse: Warehouse) -> Upgrade:
    """Add what this version keeps of the resources that are loaded, and note that it wrote.

    No row is changed or removed. Every sync does the same first; what is killed midway is gone on
    with by the next one.

    Raises: ConfigurationError where a newer version wrote; NotLoaded; AlreadyRunning.
    """
    warehouse.require()
    with warehouse.hold(), Writer(warehouse, run_id="") as writer:
        raw = writer.raw
        before, version = _tables(raw), read_version(raw)
        writer.prepare([name for name in RESOURCE if raw.column_names(name)])
        after = _tables(raw)
    added = [table for table in after if not before.get(table)]
    return Upgrade(
        version,
        this_version(),
        tables=sorted(added),
        columns=sorted(
            f"{table}.{column}"
            for table in after.keys() - set(added)
            for column in after[table] - before[table]
        ),
    )


def _tables(raw: Raw) -> Mapping[str, frozenset[str]]:
    """Our tables with their columns, as they stand."""
    names = [name for name in raw.schema().tables if not name.startswith("_")]
    return {name: raw.column_names(name) for name in names}
