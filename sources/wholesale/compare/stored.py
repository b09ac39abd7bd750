"""Stored: what the destination holds of a resource when a run begins, ready to be compared."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np
import pyarrow as pa

from wholesale.compare.row_hashes import Hashes, hash_rows
from wholesale.compare.versions import Versions, versions_of
from wholesale.tables import Decoded, Ids, Keys, Mask, concat, find, keys_of, pack

IS_DELETED = "is_deleted"


@dataclass(frozen=True, slots=True)
class Comparison:
    """For each row compared: whether its id is stored, whether it is new or differs, and whether
    it may have changed since although it does not differ."""

    is_known: Mask
    differs: Mask
    is_dirty: Mask


@dataclass(frozen=True, slots=True)
class Missing:
    """Stored records that a list did not show: their ids, and those of their parents if any."""

    ids: Ids
    parents: Ids | None

    def __len__(self) -> int:
        return len(self.ids)

    def keys(self) -> Iterable[tuple[str, str | None]]:
        """Each record's id with that of its parent, one by one."""
        if self.parents is None:
            return ((text, None) for text in self.ids.texts())
        return zip(self.ids.texts(), self.parents.texts(), strict=True)


@dataclass(frozen=True, slots=True)
class Stored:
    """The stored records, ordered by key: about forty bytes each.

    `hashes` are those of `columns`, which tell a change. Rows whose version is `dirty_since` or
    later may have changed once more within the same tick of the service's clock. `audit_part` is
    the part of the records to be read again all the same. `last_pass_at` is when the last complete
    pass over the whole list began, None where no early stop may lean on it; `stopped_at` when a
    run last stopped early since then.
    """

    ids: Ids
    is_deleted: Mask
    hashes: Hashes
    versions: Versions
    parents: Ids | None = None
    columns: tuple[str, ...] = ()
    dirty_since: datetime | None = None
    has_versions: bool = True
    audit_part: int | None = None
    last_pass_at: datetime | None = None
    stopped_at: datetime | None = None

    @staticmethod
    def of(
        tables: Iterable[pa.Table],
        *,
        columns: Sequence[str] = (),
        version: str | None = None,
        parent: str | None = None,
    ) -> "Stored":
        """From tables with `id`, `is_deleted`, and these columns, in any order of rows."""
        parts = [_part(table, columns, version, parent) for table in tables]
        ids = concat([part.ids for part in parts])
        order = np.argsort(ids.keys)
        parents = concat([part.parents for part in parts if part.parents])
        return Stored(
            ids=ids.take(order),
            is_deleted=_joined([part.is_deleted for part in parts], np.bool_)[order],
            hashes=_joined([part.hashes for part in parts], np.uint64)[order],
            versions=_joined([part.versions for part in parts], np.int64)[order],
            parents=parents.take(order) if parent else None,
            columns=tuple(columns),
        )

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def alive(self) -> int:
        """How many records are not deleted."""
        return int(np.count_nonzero(~self.is_deleted))

    def with_history(
        self,
        *,
        dirty_since: datetime | None = None,
        audit_part: int | None = None,
        last_pass_at: datetime | None = None,
        stopped_at: datetime | None = None,
    ) -> "Stored":
        """The same records, with what the history of runs leaves to be done or to lean on."""
        return replace(
            self,
            dirty_since=dirty_since,
            audit_part=audit_part,
            last_pass_at=last_pass_at,
            stopped_at=stopped_at,
        )

    def without_versions(self) -> "Stored":
        """The same records, of which nothing is known but that they are stored."""
        return replace(self, has_versions=False)

    def is_alive(self, decoded: Decoded) -> Mask:
        """Which of these records are stored and not marked as deleted."""
        places, is_known = find(self.ids.keys, decoded.ids.keys)
        return is_known & ~self.is_deleted[places] if len(self) else is_known

    def compare(self, decoded: Decoded) -> Comparison:
        """Record by record, by the columns that tell a change."""
        root = decoded.root
        nowhere, everywhere = np.zeros(len(root), np.bool_), np.ones(len(root), np.bool_)
        if not len(self):
            return Comparison(nowhere, everywhere, nowhere)
        places, is_known = find(self.ids.keys, decoded.ids.keys)
        if not self.has_versions:
            return Comparison(is_known, everywhere, nowhere)
        now = hash_rows(root, self.columns)
        differs = ~is_known | self.is_deleted[places] | (now != self.hashes[places])
        is_dirty = nowhere
        if self.dirty_since:
            since = int(self.dirty_since.timestamp() * 1_000_000)
            is_dirty = is_known & (self.versions[places] >= since)
        return Comparison(is_known, differs, is_dirty)

    def missing(self, is_listed: Mask, gone: Collection[str]) -> Missing:
        """Records that are not deleted, not listed, and not known to be gone: an anti-join."""
        is_missing = ~self.is_deleted & ~is_listed
        if gone and is_missing.any():
            known = np.sort(keys_of(pa.array(list(gone), pa.string())))
            is_missing &= ~find(known, self.ids.keys)[1]
        where = np.flatnonzero(is_missing)
        return Missing(self.ids.take(where), self.parents.take(where) if self.parents else None)

    @property
    def keys(self) -> Keys:
        return self.ids.keys


@dataclass(frozen=True, slots=True)
class _Part:
    ids: Ids
    is_deleted: Mask
    hashes: Hashes
    versions: Versions
    parents: Ids | None = field(default=None)


def _part(
    table: pa.Table, columns: Sequence[str], version: str | None, parent: str | None
) -> _Part:
    return _Part(
        ids=pack(table["id"]),
        is_deleted=table[IS_DELETED].to_numpy().astype(np.bool_),
        hashes=hash_rows(table, columns),
        versions=versions_of(table[version]) if version else np.zeros(len(table), np.int64),
        parents=pack(table[parent]) if parent else None,
    )


def _joined(parts: Sequence[np.ndarray], dtype: type) -> np.ndarray:
    return np.concatenate([np.empty(0, dtype), *parts])


NOTHING = Stored.of([])
"""An empty destination."""
