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
"""A column belongs to the full form if at most one record in so many lacks it."""
LEAST_RECORDS = 10
"""Fewer records do not show what records of their resource have."""
TIMES = ("created_at", "updated_at")
LEAST_OMISSIONS = 10
"""If so many records lack a list on a page, and again when each is asked for by its id, the service
leaves out that list where it is empty."""
MOST_LOST = 3
"""So it does if one record in so many lacks it: no such share of them loses a list by mistake."""


@dataclass(slots=True)
class Form:
    """What records of a resource have in full, as far as the destination and this run show it.

    - `stored`: what the destination holds.
    - `poorer`: columns that an incomplete record has too.
    - `given`: columns that say only what was asked for, as the id.
    - `usual`: the other columns that almost all records have; `_shown_by` so many records.
    - `_filled`, `_empty`: child tables for which some record had entries, or had `[]`.
    - `_omitted`: child tables that the service leaves out where they are empty.
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

    def lacks_always(self, table: str, sample: Decoded) -> bool:
        """Whether each of these records, asked for by itself, lacks this list, which no record has
        empty: all of them lacked it when they came in a page, too."""
        self._learn_lists(sample)
        carried = sample.carried[table]
        return len(carried) > 0 and carried.true_count == 0 and table not in self._empty

    def may_omit(self, table: str, lacking: int, of: int) -> bool:
        """Whether so many records that lack this list are too many to have lost it. One in which
        almost all that is stored has entries is not left out, but lost."""
        are_many = lacking >= LEAST_OMISSIONS or MOST_LOST * lacking >= of
        return are_many and table not in self.stored.usual_lists

    def omit(self, table: str) -> None:
        """From now on a record without this list has none of its entries."""
        self._omitted.add(table)

    def lacking(self, decoded: Decoded) -> Mapping[str, Keys]:
        """Records that lack a list that others have, by that list."""
        lists = sorted(self._filled - self._omitted)
        return {table: decoded.ids.keys[self._lacks(table, decoded)] for table in lists}

    def is_whole(self, decoded: Decoded) -> Mask:
        """Which of these records are complete: they have a usual column, and all lists.

        Where only a few records have shown what is usual, one list is as good as a usual column, as
        these few may be odd ones.
        """
        self._learn_lists(decoded)
        is_full = self._has_usual(decoded.root)
        if self._shown_by < LEAST_RECORDS:
            for table in self._filled:
                is_full |= ~self._lacks(table, decoded)
        return is_full & ~self._lacks_a_list(decoded)

    def is_hollow(self, decoded: Decoded) -> Mask:
        """Which of these records have nothing but an id and times, as what is left of a deleted
        one; none while it is not known what others have."""
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
    """Whether almost all of these records have entries of a list that so many `owners` have."""
    return records >= LEAST_OMISSIONS and records - owners <= records // UNUSUAL


def usual_columns(rows: pa.Table) -> frozenset[str]:
    """Columns in which almost all of these rows have a value."""
    most = len(rows) // UNUSUAL
    names = (name for name in rows.column_names if name not in ("id", EXTRA, DELETED_AT))
    return frozenset(name for name in names if len(rows) and rows[name].null_count <= most)
