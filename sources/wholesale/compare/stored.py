"""Stored: what the destination held of a resource before the run, to compare with what comes."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import repeat

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wholesale.compare.past import NO_PAST, Past
from wholesale.compare.row_hashes import Hashes, hash_entries, hash_records, hash_rows, hash_values
from wholesale.compare.versions import Versions, floored, versions_of
from wholesale.names import EXTRA
from wholesale.tables import (
    KEY,
    Decoded,
    Ids,
    Keys,
    Mask,
    TableShape,
    concat,
    find,
    keys_of,
    keys_of_texts,
    order_of,
    pack,
    shown_columns,
)

IS_DELETED = "_is_deleted"
NOT_SENT = (EXTRA, IS_DELETED)
BITS = 64
"""Columns of which each record keeps whether it has a value."""


@dataclass(frozen=True, slots=True)
class Compared:
    """How each of some records compares with what is stored.

    - `is_known`: its id is stored.
    - `was_alive`: it is stored, and not marked as deleted.
    - `differs`: it is new, or has another content than is stored.
    - `is_dirty`: it may have changed although it does not differ (see `Past.dirty_since`).
    """

    is_known: Mask
    was_alive: Mask
    differs: Mask
    is_dirty: Mask

    def keep(self, mask: Mask) -> "Compared":
        return Compared(*(getattr(self, column.name)[mask] for column in fields(self)))


@dataclass(frozen=True, slots=True)
class Stored:
    """The stored records, ordered by key: about fifty bytes each.

    - `hashes`: of the values of `columns`, by which a change shows, those kept in `_extra` too. If
      `is_whole`, of whole records with their children: one of the same hash need not be written.
    - `filled`: if `is_whole`, in which of the `fillable` columns each has a value, a bit for each.
    - `found`: the hashes of each column that the description does not know.
    - `past`: what earlier runs leave behind besides.
    """

    ids: Ids
    is_deleted: Mask
    hashes: Hashes
    versions: Versions
    parents: Ids | None = None
    columns: tuple[str, ...] = ()
    is_whole: bool = False
    filled: Hashes = field(default_factory=lambda: np.zeros(0, np.uint64))
    fillable: tuple[str, ...] = ()
    found: Mapping[str, Hashes] = field(default_factory=dict)
    past: Past = NO_PAST

    @staticmethod
    def of(
        tables: Iterable[pa.Table],
        *,
        columns: Sequence[str] = (),
        is_whole: bool = False,
        found: Sequence[str] = (),
        version: str | None = None,
        parent: str | None = None,
    ) -> "Stored":
        """From tables with `id`, `_is_deleted`, `_extra` and these columns, rows in any order.

        If `is_whole`, the tables have all columns, and `with_entries` has to follow.
        """
        parts = [
            _part(table, columns, found, version, parent, is_whole=is_whole) for table in tables
        ]
        ids = concat([part.ids for part in parts])
        order = order_of(ids.keys)
        parents = concat([part.parents for part in parts if part.parents])
        return Stored(
            ids=ids.take(order),
            is_deleted=_joined([part.is_deleted for part in parts], np.bool_)[order],
            hashes=_joined([part.hashes for part in parts], np.uint64)[order],
            versions=_joined([part.versions for part in parts], np.int64)[order],
            parents=parents.take(order) if parent else None,
            columns=tuple(columns),
            is_whole=is_whole,
            filled=_joined([part.filled for part in parts], np.uint64)[order],
            fillable=parts[0].fillable if parts else (),
            found={
                name: _joined([part.found[name] for part in parts], np.uint64)[order]
                for name in found
            },
        )

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def alive(self) -> int:
        """How many records are not deleted."""
        return int(np.count_nonzero(~self.is_deleted))

    @property
    def alive_keys(self) -> Keys:
        """Keys of the records that are not deleted, in order."""
        return self.ids.keys[~self.is_deleted]

    def with_entries(self, child: TableShape, tables: Iterable[pa.Table]) -> "Stored":
        """The same whole records with these rows of a child table; orphans are left out."""
        hashes = self.hashes.copy()
        for entries in tables:
            places, is_known = find(self.ids.keys, keys_of(entries[child.parent_key]))
            np.add.at(hashes, places[is_known], hash_entries(entries, child)[is_known])
        return replace(self, hashes=hashes)

    def after(self, past: Past) -> "Stored":
        """The same records, with what earlier runs left behind.

        Moments are moved back to the last version that can stand for them, as versions may be
        whole seconds or days.
        """
        dirty_since = floored(past.dirty_since, self.versions)
        scanned_at = floored(past.scanned_at, self.versions)
        return replace(self, past=replace(past, dirty_since=dirty_since, scanned_at=scanned_at))

    def doubting(self, ids: Sequence[str]) -> "Stored":
        """The same records; these count as changed whatever comes."""
        if not ids:
            return self
        places, is_known = find(self.ids.keys, keys_of_texts(ids))
        hashes = self.hashes.copy()
        hashes[places[is_known]] = ~hashes[places[is_known]]
        return replace(self, hashes=hashes).without_head()

    def doubting_all(self) -> "Stored":
        """The same records; all count as changed whatever comes."""
        return replace(self, hashes=~self.hashes).without_head()

    def without_head(self) -> "Stored":
        """The same records, where no early stop is to be tried: some differ, though not by a change
        of their own, so the first pages of the list do not show them."""
        return self.after(replace(self.past, scanned_at=None, stopped_at=None))

    def is_alive(self, decoded: Decoded) -> Mask:
        """Which of these records are stored, and not marked as deleted."""
        places, is_known = find(self.ids.keys, decoded.ids.keys)
        return is_known & ~self.is_deleted[places] if len(self) else is_known

    def compare(
        self, decoded: Decoded, found: Collection[str] = (), whole: Hashes | None = None
    ) -> Compared:
        """Compare these records with what is stored, each by itself.

        They are compared as wholes if `is_whole`, else by the columns that show a change and these
        `found` ones. `whole` are the hashes of whole records, where they are known already.
        """
        root = decoded.root
        nowhere, everywhere = np.zeros(len(root), np.bool_), np.ones(len(root), np.bool_)
        if not len(self):
            return Compared(nowhere, nowhere, everywhere, nowhere)
        places, is_known = find(self.ids.keys, decoded.ids.keys)
        if self.is_whole:
            now = hash_records(decoded) if whole is None else whole
        else:
            now = hash_values(root, self.columns, found)
        stored = sum((self.found[name] for name in found if name in self.found), self.hashes)
        was_alive = is_known & ~self.is_deleted[places]
        differs = ~was_alive | (now != stored[places])
        is_dirty = nowhere
        if self.past.dirty_since:
            since = int(self.past.dirty_since.timestamp() * 1_000_000)
            is_dirty = is_known & (self.versions[places] >= since)
        return Compared(is_known, was_alive, differs, is_dirty)

    def has(self, keys: Keys) -> Mask:
        """Which of these records are stored."""
        return find(self.ids.keys, keys)[1]

    def is_older(self, keys: Keys, versions: Versions) -> Mask:
        """Which of these records are stored in an older version than this."""
        places, is_known = find(self.ids.keys, keys)
        return is_known & (self.versions[places] < versions) if len(self) else is_known

    def is_newer(self, keys: Keys, versions: Versions) -> Mask:
        """Which of these records are stored in a newer version than this."""
        places, is_known = find(self.ids.keys, keys)
        return is_known & (self.versions[places] > versions) if len(self) else is_known

    def updated_since(self, version: int) -> Keys:
        """Keys of those in this version or a newer one that are not deleted, in order."""
        return self.ids.keys[~self.is_deleted & (self.versions >= version)]

    def has_lost(self, decoded: Decoded) -> Mask:
        """Which of these records, all of a part of a list, are stored with a value in a column in
        which none of the part has one: the list may have ceased to show it."""
        shown = shown_columns(decoded.root)
        gone = sum(1 << bit for bit, name in enumerate(self.fillable) if name not in shown)
        if not gone or not len(self):
            return np.zeros(len(decoded.root), np.bool_)
        places, is_known = find(self.ids.keys, decoded.ids.keys)
        lost: Mask = is_known & (self.filled[places] & np.uint64(gone) != 0)
        return lost

    def parents_of(self, keys: Keys) -> Iterator[str | None]:
        """The id of each record's parent, as it is stored; None where there is none."""
        if self.parents is None:
            return repeat(None, len(keys))
        places, _ = find(self.ids.keys, keys)
        return self.parents.take(places).texts()

    def parent_keys(self) -> Keys:
        """The keys of the parents of all records that are alive."""
        return np.empty(0, KEY) if self.parents is None else self.parents.keys[~self.is_deleted]


@dataclass(frozen=True, slots=True)
class _Part:
    ids: Ids
    is_deleted: Mask
    hashes: Hashes
    versions: Versions
    found: Mapping[str, Hashes]
    filled: Hashes
    fillable: tuple[str, ...]
    parents: Ids | None = None


def _part(
    table: pa.Table,
    columns: Sequence[str],
    found: Sequence[str],
    version: str | None,
    parent: str | None,
    *,
    is_whole: bool,
) -> _Part:
    fillable: tuple[str, ...] = ()
    filled = np.zeros(len(table), np.uint64)
    if is_whole:
        fillable = tuple(name for name in table.column_names if name not in NOT_SENT)[:BITS]
        for bit, name in enumerate(fillable):
            filled |= pc.is_valid(table[name]).to_numpy().astype(np.uint64) << np.uint64(bit)
        hashes = hash_rows(table, [name for name in table.column_names if name != IS_DELETED])
    else:
        hashes = hash_values(table, columns)
    return _Part(
        ids=pack(table["id"]),
        is_deleted=table[IS_DELETED].to_numpy().astype(np.bool_),
        hashes=hashes,
        versions=versions_of(table[version]) if version else np.zeros(len(table), np.int64),
        found={name: hash_rows(table, [name]) for name in found},
        filled=filled,
        fillable=fillable,
        parents=pack(table[parent]) if parent else None,
    )


def _joined(parts: Sequence[np.ndarray], dtype: type) -> np.ndarray:
    return np.concatenate([np.empty(0, dtype), *parts])


NOTHING = Stored.of([])
"""An empty destination."""
