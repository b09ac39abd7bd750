"""Forms: which records came in full, judged by what others of their resource have.

A record may come incomplete: as its summary instead of the verbose form, with null for its lines,
or with nothing but its id (§2.4 shows two forms of an order, but not which fields the verbose one
has). Absence is not emptiness: `[]` says that a list is empty; a list that is null or missing says
nothing, unless that is how the service says that it is empty.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wholesale.compare.stored import Stored
from wholesale.tables import DELETED_AT, EXTRA, Decoded, Keys, Mask

UNUSUAL = 10
"""A column that at most one record in so many lacks belongs to the full form."""
LEAST_RECORDS = 10
"""Fewer records do not show what others have."""
TIMES = ("created_at", "updated_at")
LEAST_OMISSIONS = 10
"""So many records that lack a list in a page, and again when each is asked for by itself, show that
the service leaves out empty lists."""
MOST_LOST = 3
"""So does one record in so many: no such share of them loses a list by mistake."""


@dataclass(slots=True)
class Form:
    """What records of a resource have in full, as far as the destination and this run show it.

    `stored` is what the destination holds; `poorer` are columns that an incomplete record has too,
    `given` those that the answer to any request for it has: what was asked for.
    `usual` are the other columns that almost all records have, and `_shown_by` so many of them. Of
    child tables, `_filled` are those for which some record had entries, `_empty` those for which
    some record had `[]`, and `_omitted` those that the service leaves out where they are empty.
    """

    stored: Stored
    poorer: Collection[str]
    given: Collection[str] = ("id",)
    usual: frozenset[str] = field(init=False)
    _shown_by: int = 0
    _filled: set[str] = field(default_factory=set)
    _empty: set[str] = field(default_factory=set)
    _omitted: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.usual = self.stored.usual.difference(self.poorer)
        self._shown_by = self.stored.alive
        self._filled = set(self.stored.lists)

    def learn(self, decoded: Decoded) -> None:
        """Learn from these records, if they have more than is known."""
        usual = usual_columns(decoded.root).difference(self.poorer)
        if len(usual) > len(self.usual):
            self.usual, self._shown_by = usual, len(decoded.root)
        self._learn_lists(decoded)

    def lacks_always(self, table: str, sample: Decoded, of: int) -> bool:
        """Whether these records of so many, each asked for by itself, show that the service leaves
        out this list: all of them lacked it when they came in a page, too. One in which almost all
        that is stored has entries is not left out, but lost."""
        self._learn_lists(sample)
        carried = sample.carried[table]
        are_many = len(carried) >= LEAST_OMISSIONS or MOST_LOST * len(carried) >= of
        lacks_always = are_many and carried.true_count == 0
        return lacks_always and table not in self._empty | self.stored.usual_lists

    def omit(self, table: str) -> None:
        """Take this list for one that the service leaves out where it is empty."""
        self._omitted.add(table)

    def lacking(self, decoded: Decoded) -> Mapping[str, Keys]:
        """Records that lack a list that others have, by that list."""
        lists = sorted(self._filled - self._omitted)
        return {table: decoded.ids.keys[self._lacks(table, decoded)] for table in lists}

    def is_whole(self, decoded: Decoded) -> Mask:
        """Which of these records are complete: have a usual column, and all lists. A list is enough
        where only a few records have shown what is usual, as those may be odd ones."""
        self._learn_lists(decoded)
        is_full = self._has_usual(decoded.root)
        if self._shown_by < LEAST_RECORDS:
            for table in self._filled:
                is_full |= ~self._lacks(table, decoded)
        return is_full & ~self._lacks_a_list(decoded)

    def is_hollow(self, decoded: Decoded) -> Mask:
        """Which of these records have nothing of what others have but an id and times, as what is
        left of a deleted one; none while it is not known what others have."""
        empty = {*self.given, *TIMES}
        known = {*self.stored.usual, *self.usual} - empty
        is_hollow = np.full(len(decoded.root), bool(known))
        for name in known.union(self.poorer) - empty:
            if name in decoded.root.column_names:
                is_hollow &= pc.is_null(decoded.root[name]).to_numpy()
        for owners in decoded.owners.values():
            is_hollow[owners.to_numpy(zero_copy_only=False)] = False
        return is_hollow

    def _lacks_a_list(self, decoded: Decoded) -> Mask:
        lacks = np.zeros(len(decoded.root), np.bool_)
        for table in self._filled - self._omitted:
            lacks |= self._lacks(table, decoded)
        return lacks

    @staticmethod
    def _lacks(table: str, decoded: Decoded) -> Mask:
        lacks: Mask = ~decoded.carried[table].to_numpy(zero_copy_only=False)
        return lacks

    def _has_usual(self, root: pa.Table) -> Mask:
        """Which of these records have a value in any usual column."""
        has_any = np.full(len(root), not self.usual)
        for name in self.usual.intersection(root.column_names):
            if has_any.all():
                break
            has_any |= pc.is_valid(root[name]).to_numpy()
        return has_any

    def _learn_lists(self, decoded: Decoded) -> None:
        for table, carried in decoded.carried.items():
            owners = pc.count_distinct(decoded.owners[table]).as_py()
            if owners:
                self._filled.add(table)
            if carried.true_count > owners:
                self._empty.add(table)


def is_usual_list(owners: int, records: int) -> bool:
    """Whether a list that so many of these records have entries in is one that almost all have."""
    return records >= LEAST_OMISSIONS and records - owners <= records // UNUSUAL


def usual_columns(rows: pa.Table) -> frozenset[str]:
    """Columns in which almost all of these rows have a value."""
    most = len(rows) // UNUSUAL
    names = (name for name in rows.column_names if name not in ("id", EXTRA, DELETED_AT))
    return frozenset(name for name in names if len(rows) and rows[name].null_count <= most)
