"""Stored: large tables that stay in the lake where an engine built them, and are read from there.

Their snapshots are pinned in the lake before anything is read of them, so that a publication which
is killed leaves at most a pin too many. The next one releases what no version reads that is kept.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from wholesale.errors import ConfigurationError
from wholesale_elt.publish.manifest import Facts, Manifest
from wholesale_elt.publish.places import whole_place
from wholesale_elt.publish.store import VersionStore, folder_at
from wholesale_elt.warehouse import StoredTable, Warehouse

MANY_ROWS = 10_000
"""A table of so many rows stays in a lake whose files readers can read; smaller ones are copied, so
that what is copied is bounded however many orders there are."""


def stored_in(
    warehouse: Warehouse, schemas: Collection[str], place: str, facts: Facts | None
) -> Mapping[str, StoredTable]:
    """The large tables of these schemas of the attached warehouse that stay where they are; none
    where all are copied.

    Raises: ConfigurationError where they have to stay, and cannot.
    """
    if facts == "copied":
        return {}
    there = warehouse.port.stored
    is_folder = folder_at(place) is not None
    found = there.tables() if there and is_folder else {}
    if facts == "in-lake" and not found:
        why = (
            f"{place} is no folder, and only a folder names files of this machine"
            if not is_folder
            else f"{warehouse.name} has no tables that an engine built as files of this machine,"
            " whose paths have no *, ? or ["
        )
        raise ConfigurationError(f"--facts in-lake cannot be: {why}; leave it out")
    return {
        name: table
        for name, table in found.items()
        if table.rows >= MANY_ROWS and name.partition(".")[0] in schemas
    }


def are_there(version: Manifest) -> bool:
    """Whether the lake still has all files that a version reads."""
    return all(Path(path).exists() for table in version.tables for path in table.lake_files)


def pin_stored(warehouse: Warehouse, place: str, tables: Mapping[str, StoredTable]) -> None:
    """Pin what the next version is to read."""
    if tables and warehouse.port.stored:
        snapshots = {name: [table.snapshot] for name, table in tables.items()}
        warehouse.port.stored.pin(whole_place(place), snapshots)


def release_stored(warehouse: Warehouse, place: str, store: VersionStore) -> None:
    """Release what no version reads that is kept there."""
    if warehouse.port.stored and folder_at(place) is not None:
        warehouse.port.stored.release(whole_place(place), _read_by(store.kept()))


def _read_by(versions: Iterable[Manifest]) -> Mapping[str, Collection[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for version in versions:
        for table, snapshot in version.snapshots.items():
            found[table].add(snapshot)
    return found
