"""Stored: what the destination held of a resource before the run, to compare with what comes."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import repeat

import numpy as np
import pyarrow as pa

from wholesale.compare.deletions import MARKS, say_that_they_are_deleted
from wholesale.compare.past import NO_PAST, Past
from wholesale.compare.row_hashes import (
    Hashes,
    hash_entries,
    hash_records,
    hash_rows,
    hash_values,
)
from wholesale.compare.versions import Versions, floored, versions_in, versions_of
from wholesale.tables import (
    KEY,
    Decoded,
    Ids,
    Keys,
    Mask,
    TableShape,
    concat,
    find,
    in_order,
    keys_of,
    order_of,
    pack,
)

IS_DELETED = "_is_deleted"


@dataclass(frozen=True, slots=True)
class Compared:
    """How each of some records compares with what is stored.

    - `is_known`: its id is stored.
    - `was_alive`: it is stored, and not marked as deleted.
    - `was_there`: it is stored as a record that lists show (see `Stored.is_there`).
    - `differs`: it is new, or has another content than is stored.
    - `is_dirty`: it may have changed although it does not differ (see `Past.dirty_since`).
    - `says_deleted`: it says itself that it is deleted.
    """

    is_known: Mask
    was_alive: Mask
    was_there: Mask
    differs: Mask
    is_dirty: Mask
    says_deleted: Mask

    def keep(self, mask: Mask) -> "Compared":
        return Compared(*(getattr(self, column.name)[mask] for column in fields(self)))


@dataclass(frozen=True, slots=True)
class Stored:
    """The stored records, ordered by key: about forty bytes each.

    - `says_deleted`: records that are marked as deleted because they say so themselves; a list may
      show them as before.
    - `hashes`: of the values of `columns`, by which a change shows, those kept in `_extra` too. If
      `is_whole`, of whole records with their children: one of the same hash need not be written.
    - `found`: the hashes of each column that the description does not know.
    - `owners`: for each child table, some of the records that have rows in it.
    - `usual_lists`: the child tables in which almost all records have rows.
    - `usual`: the columns in which almost all records have a value.
    - `past`: what earlier runs leave behind besides.
    """

    ids: Ids
    is_deleted: Mask
    says_deleted: Mask
    hashes: Hashes
    versions: Versions
    parents: Ids | None = None
    columns: tuple[str, ...] = ()
    is_whole: bool = False
    found: Mapping[str, Hashes] = field(default_factory=dict)
    owners: Mapping[str, Keys] = field(default_factory=dict)
    usual_lists: frozenset[str] = frozenset()
    usual: frozenset[str] = frozenset()
    past: Past = NO_PAST

    @staticmethod
    def of(
        tables: Iterable[pa.Table],
        *,
        columns: Sequence[str] = (),
        is_whole: bool = False,
        found: Sequence[str] = (),
        owners: Mapping[str, Sequence[str]] | None = None,
        usual_lists: Collection[str] = (),
        usual: Collection[str] = (),
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
            says_deleted=_joined([part.says_deleted for part in parts], np.bool_)[order],
            hashes=_joined([part.hashes for part in parts], np.uint64)[order],
            versions=_joined([part.versions for part in parts], np.int64)[order],
            parents=parents.take(order) if parent else None,
            columns=tuple(columns),
            is_whole=is_whole,
            found={
                name: _joined([part.found[name] for part in parts], np.uint64)[order]
                for name in found
            },
            owners={table: in_order(ids) for table, ids in (owners or {}).items()},
            usual_lists=frozenset(usual_lists),
            usual=frozenset(usual),
        )

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def lists(self) -> Collection[str]:
        """The child tables that have rows."""
        return self.owners.keys()

    @property
    def alive(self) -> int:
        """How many records are not deleted."""
        return int(np.count_nonzero(~self.is_deleted))

    @property
    def alive_keys(self) -> Keys:
        """Keys of the records that are not deleted, in order."""
        return self.ids.keys[~self.is_deleted]

    @property
    def is_gone(self) -> Mask:
        """Which records are marked as deleted, and do not say so themselves."""
        return self.is_deleted & ~self.says_deleted

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
        swept_at = floored(past.swept_at, self.versions)
        return replace(self, past=replace(past, dirty_since=dirty_since, swept_at=swept_at))

    def doubting(self, ids: Sequence[str]) -> "Stored":
        """The same records; these count as changed whatever comes."""
        if not ids:
            return self
        places, is_known = find(self.ids.keys, keys_of(pa.array(ids, pa.string())))
        hashes = self.hashes.copy()
        hashes[places[is_known]] = ~hashes[places[is_known]]
        return replace(self, hashes=hashes).without_head()

    def doubting_all(self) -> "Stored":
        """The same records; all count as changed whatever comes."""
        return replace(self, hashes=~self.hashes).without_head()

    def without_head(self) -> "Stored":
        """The same records, where no early stop is to be tried: some differ, though not by a change
        of their own, so the first pages of the list do not show them."""
        return self.after(replace(self.past, swept_at=None, stopped_at=None))

    def is_there(self, decoded: Decoded) -> Mask:
        """Which of these records are stored and shown by lists: they are not marked as deleted, or
        say themselves that they are."""
        places, is_known = find(self.ids.keys, decoded.ids.keys)
        return is_known & ~self.is_gone[places] if len(self) else is_known

    def compare(
        self, decoded: Decoded, found: Collection[str] = (), whole: Hashes | None = None
    ) -> Compared:
        """Compare these records with what is stored, each by itself.

        They are compared as wholes if `is_whole`, else by the columns that show a change and these
        `found` ones. `whole` are the hashes of whole records, where they are known already.
        """
        root = decoded.root
        nowhere, everywhere = np.zeros(len(root), np.bool_), np.ones(len(root), np.bool_)
        marks = [name for name in MARKS if name in root.column_names]
        says_deleted = say_that_they_are_deleted(root.select(marks))
        if not len(self):
            return Compared(nowhere, nowhere, nowhere, everywhere, nowhere, says_deleted)
        places, is_known = find(self.ids.keys, decoded.ids.keys)
        if self.is_whole:
            now = hash_records(decoded) if whole is None else whole
        else:
            now = hash_values(root, self.columns, found)
        stored = sum((self.found[name] for name in found if name in self.found), self.hashes)
        was_alive = is_known & ~self.is_deleted[places]
        was_there = is_known & ~self.is_gone[places]
        differs = ~was_there | (now != stored[places])
        if self.says_deleted.any():  # a summary may not say that the record is
            differs |= is_known & self.says_deleted[places] & ~says_deleted
        is_dirty = nowhere
        if self.past.dirty_since:
            since = int(self.past.dirty_since.timestamp() * 1_000_000)
            is_dirty = is_known & (self.versions[places] >= since)
        return Compared(is_known, was_alive, was_there, differs, is_dirty, says_deleted)

    def differs_in_its_version(self, decoded: Decoded, version: str | None) -> Mask:
        """Whether each of these records differs, of those that are stored in the same version."""
        compared = self.compare(decoded)
        if not version or not len(self):
            return compared.differs[:0]
        places, is_known = find(self.ids.keys, decoded.ids.keys)
        is_same = is_known & (self.versions[places] == versions_in(decoded.root, version))
        differs: Mask = compared.differs[is_same]
        return differs

    def has(self, keys: Keys) -> Mask:
        """Which of these records are stored."""
        return find(self.ids.keys, keys)[1]

    def is_older(self, keys: Keys, versions: Versions) -> Mask:
        """Which of these records are stored in an older version than this."""
        places, is_known = find(self.ids.keys, keys)
        return is_known & (self.versions[places] < versions) if len(self) else is_known

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
    says_deleted: Mask
    hashes: Hashes
    versions: Versions
    found: Mapping[str, Hashes]
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
    if is_whole:
        hashes = hash_rows(table, [name for name in table.column_names if name != IS_DELETED])
    else:
        hashes = hash_values(table, columns)
    is_deleted = table[IS_DELETED].to_numpy().astype(np.bool_)
    return _Part(
        ids=pack(table["id"]),
        is_deleted=is_deleted,
        says_deleted=is_deleted & say_that_they_are_deleted(table),
        hashes=hashes,
        versions=versions_of(table[version]) if version else np.zeros(len(table), np.int64),
        found={name: hash_rows(table, [name]) for name in found},
        parents=pack(table[parent]) if parent else None,
    )


def _joined(parts: Sequence[np.ndarray], dtype: type) -> np.ndarray:
    return np.concatenate([np.empty(0, dtype), *parts])


NOTHING = Stored.of([])
"""An empty destination."""
