"""Tags: names of snapshots of a table, which stay as long as they have one."""

from collections.abc import Collection, Mapping

from pyiceberg.table import Table
from pyiceberg.table.refs import SnapshotRefType
from pyiceberg.table.update.snapshot import ManageSnapshots


def tags_of(table: Table) -> Mapping[str, int]:
    """The snapshot of each tag."""
    return {
        name: ref.snapshot_id
        for name, ref in table.metadata.refs.items()
        if ref.snapshot_ref_type is SnapshotRefType.TAG
    }


def retag(table: Table, added: Mapping[str, int], removed: Collection[str]) -> None:
    """Add and remove these tags in one commit; without any there is none."""
    if added or removed:
        with table.transaction() as change, ManageSnapshots(change) as refs:
            for name, snapshot in sorted(added.items()):
                refs.create_tag(snapshot, name)
            for name in sorted(removed):
                refs.remove_tag(name)
