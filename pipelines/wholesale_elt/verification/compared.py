"""Compared: which rows two sides have otherwise, by digests first and hashes of rows then.

Tables of one digest are not read. Of others only rows in buckets that differ are compared: by two
numbers a row, the hash of its key and that of all of it. Only what differs is read once more.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from wholesale.compare import buckets_of, hash_key, hash_rows
from wholesale.errors import WholesaleError
from wholesale_elt.figures import unknown
from wholesale_elt.verification.findings import MOST_ROWS, Row
from wholesale_elt.verification.sides import Scales, Side, find_side, open_side, shared_type
from wholesale_elt.warehouse import RAW_DATASET

MOST_CHANGED = 100_000
"""Of so many changed rows of a table it is told in which columns: they are held in memory."""
ADDED, REMOVED, CHANGED = "added", "removed", "changed"
ROW = np.dtype([("key", np.uint64), ("row", np.uint64)])
Hashed = NDArray[Any]
"""Rows by their hashes, as ROW."""


@dataclass(frozen=True, slots=True)
class TableDifference:
    """How a table differs: how many rows only the second side has (`added`), only the first
    (`removed`), or both otherwise (`changed`).

    `columns` counts, by column, the changed rows in which it did, of MOST_CHANGED at most.
    `columns_removed`, `columns_added` and `columns_of_other_type` are not compared row by row, nor
    are those `left_out`, which differ by nature: what is personal is in no publication.
    `rows` are some of those that differ: the `side`, the values of the key, and of a changed one
    the `fields`, each from and to. `missing_in` names the side that lacks the table.
    """

    table: str
    added: int = 0
    removed: int = 0
    changed: int = 0
    columns: Mapping[str, int] = field(default_factory=dict)
    columns_removed: Sequence[str] = ()
    columns_added: Sequence[str] = ()
    columns_of_other_type: Sequence[str] = ()
    left_out: Sequence[str] = ()
    rows: Sequence[Row] = ()
    missing_in: str = ""

    @property
    def differs(self) -> bool:
        others = (self.columns_removed, self.columns_added, self.columns_of_other_type)
        return any((self.added, self.removed, self.changed, self.missing_in, *others))


@dataclass(frozen=True, slots=True)
class Compared:
    """Two sides by name, and their tables. `is_raw_left_out`: one of them is a publication, which
    has no raw tables."""

    before: str
    after: str
    tables: Sequence[TableDifference]
    is_raw_left_out: bool

    @property
    def differing(self) -> Sequence[TableDifference]:
        return [each for each in self.tables if each.differs]


def compare_sides(before: str, after: str, published: Path, only: Collection[str] = ()) -> Compared:
    """Compare two files, versions or warehouses, as `find_side` finds them; only these tables, with
    or without their schema, if any is named.

    Raises: as `find_side` and `open_side`; Unanswerable for a table that neither has;
    WholesaleError if neither has any.
    """
    places = [find_side(named, published) for named in (before, after)]
    with open_side(places[0]) as first, open_side(places[1]) as second:
        is_raw_left_out = first.is_published or second.is_published
        names = [
            name
            for name in sorted({*first.tables, *second.tables})
            if not (is_raw_left_out and name.startswith(f"{RAW_DATASET}."))
        ]
        if only:
            known = {*names, *(name.partition(".")[2] for name in names)}
            for name in set(only) - known:
                raise unknown(name, known, "table")
            names = [name for name in names if not {name, name.partition(".")[2]}.isdisjoint(only)]
        if not names:
            raise WholesaleError(
                f"{places[0].name} and {places[1].name} have no table that a build or a sync makes"
            )
        found = [_compare(first, second, name) for name in names]
    return Compared(places[0].name, places[1].name, found, is_raw_left_out)


def _compare(first: Side, second: Side, name: str) -> TableDifference:
    for side in (first, second):
        if name not in side.tables:
            return TableDifference(name, missing_in=side.name)
    before, after = first.tables[name], second.tables[name]
    shared = {
        column: shared_type(before[column], after[column]) for column in before if column in after
    }
    both = [column for column, of in shared.items() if of is not False]
    scales = {column: of for column, of in shared.items() if not isinstance(of, bool)}
    other = [column for column, of in shared.items() if of is False]
    removed = [column for column in before if column not in after]
    added = [column for column in after if column not in before]
    left_out: Sequence[str] = ()
    if first.is_published != second.is_published:
        left_out, removed, added = (
            (removed, [], added) if second.is_published else (added, removed, [])
        )
    key = first.keys.get(name, ())
    key = key if set(key) <= set(both) else ()
    rows = _Rows(first, second, name, both, scales, key)
    return TableDifference(
        name,
        **rows.compare(),
        columns_removed=removed,
        columns_added=added,
        columns_of_other_type=other,
        left_out=left_out,
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of a table of both sides, in the `columns` that both have; the columns `key` tell
    them apart, without one only whole rows do."""

    first: Side
    second: Side
    name: str
    columns: Sequence[str]
    scales: Scales
    key: Sequence[str]

    def compare(self) -> dict[str, Any]:
        """What differs, as arguments of TableDifference."""
        key = self.key or self.columns
        sides = (self.first, self.second)
        digests = [side.digest(self.name, self.columns, self.scales, key) for side in sides]
        buckets = digests[1].differing(digests[0])
        if not buckets:
            return {}
        before, after = (self._hashed(side, buckets) for side in sides)
        removed, added = _less(before, after), _less(after, before)
        changed = np.intersect1d(removed["key"], added["key"]) if self.key else added["key"][:0]
        removed = removed[~np.isin(removed["key"], changed)]
        added = added[~np.isin(added["key"], changed)]
        told = chain(
            self._told(REMOVED, self.first, removed), self._told(ADDED, self.second, added)
        )
        columns, rows = self._told_changed(changed[:MOST_CHANGED])
        return {
            ADDED: len(added),
            REMOVED: len(removed),
            CHANGED: len(changed),
            "columns": columns,
            "rows": [*rows, *told],
        }

    def _hashed(self, side: Side, buckets: Sequence[int]) -> Hashed:
        """The rows of these buckets, sorted."""
        parts = [np.empty(0, ROW)]
        for rows in side.rows(self.name, self.columns, self.scales):
            keys = hash_key(rows, self.key or self.columns)
            is_in = np.isin(buckets_of(keys), buckets)
            part = np.empty(int(np.count_nonzero(is_in)), ROW)
            part["key"], part["row"] = keys[is_in], hash_rows(rows, self.columns)[is_in]
            parts.append(part)
        return np.sort(np.concatenate(parts))

    def _find(self, side: Side, keys: NDArray[np.uint64], most: int | None = None) -> pa.Table:
        """The rows with these keys, with the hash of each; `most` of them."""
        found: list[pa.Table] = []
        count = 0
        for rows in side.rows(self.name, self.columns, self.scales):
            hashes = hash_key(rows, self.key or self.columns)
            is_wanted = np.isin(hashes, keys)
            if is_wanted.any():
                rows = rows.append_column("_hash", pa.array(hashes))
                found.append(rows.filter(pa.array(is_wanted)))
                count += len(found[-1])
            if most is not None and count >= most:
                break
        table = pa.concat_tables(found)
        return table if most is None else table.slice(0, most)

    def _told(self, what: str, side: Side, rows: Hashed) -> Iterator[Row]:
        """Some of the rows that one side has alone."""
        if len(rows):
            found = self._find(side, rows["key"], MOST_ROWS)
            for row in found.select(list(self.key or self.columns)).to_pylist():
                yield {"side": what, **row}

    def _told_changed(self, keys: NDArray[np.uint64]) -> tuple[Mapping[str, int], Sequence[Row]]:
        """In how many rows each column changed, and some of the rows; the key tells them apart, so
        there is one of each on either side."""
        if not len(keys):
            return {}, []
        before, after = (
            self._find(side, keys).sort_by("_hash") for side in (self.first, self.second)
        )
        if len(before) != len(after):  # a key that is not unique
            return {}, []
        counts: dict[str, int] = {}
        fields: list[dict[str, Any]] = [{} for _ in range(min(MOST_ROWS, len(before)))]
        for name in self.columns:
            was, now = before[name].combine_chunks(), after[name].combine_chunks()
            is_same = pc.fill_null(pc.equal(was, now), False)
            both_null = pc.and_(pc.is_null(was), pc.is_null(now))
            differs = pc.invert(pc.or_(is_same, both_null))
            if number := pc.sum(differs).as_py():
                counts[name] = number
            for place, told in enumerate(fields):
                if differs[place].as_py():
                    told[name] = {"from": was[place].as_py(), "to": now[place].as_py()}
        keyed = before.select(list(self.key)).slice(0, len(fields)).to_pylist()
        rows = [
            {"side": CHANGED, **row, "fields": told}
            for row, told in zip(keyed, fields, strict=True)
        ]
        by_count = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
        return dict(by_count), rows


def _less(rows: Hashed, others: Hashed) -> Hashed:
    """The rows that the others lack; one that comes more often is left as often as it does."""
    values, counts = np.unique(rows, return_counts=True)
    other_values, other_counts = np.unique(others, return_counts=True)
    if not len(other_values):
        return rows
    places = np.minimum(np.searchsorted(other_values, values), len(other_values) - 1)
    is_there = other_values[places] == values
    left = counts - np.where(is_there, other_counts[places], 0)
    return np.repeat(values, np.maximum(left, 0))
