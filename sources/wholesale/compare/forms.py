"""Forms: which records came in full, by what others of their resource have.

A record can come in a poorer form than it has: as its summary in the place of the verbose form,
with null for its lines, as a tombstone that names nothing but its id (§2.4 shows two forms of an
order, and not which fields the verbose one has). Absence is not emptiness: `[]` empties a list, a
list that is null or missing says nothing about it, unless that is how the service says empty.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wholesale.compare.stored import Stored
from wholesale.tables import DELETED_AT, EXTRA, Decoded, Keys, Mask

UNUSUAL = 10
"""What all records of a resource have but one in so many belongs to their full form."""
LEAST_OMISSIONS = 10
"""So many records that lack a list in a page, and by themselves too, show that the service leaves
it out where others send `[]`."""


@dataclass(slots=True)
class Form:
    """The full form of a resource, as far as the destination and this run show it.

    `stored` is what the destination holds; `poorer` are columns that a record in a poorer form has
    too. `usual` are the columns, besides those, that almost all records have.
    """

    stored: Stored
    poorer: Collection[str]
    usual: frozenset[str] = field(init=False)
    _filled: set[str] = field(default_factory=set)
    _empty: set[str] = field(default_factory=set)
    _omitted: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.usual = self.stored.usual.difference(self.poorer)
        self._filled = set(self.stored.lists)

    def learn(self, decoded: Decoded) -> None:
        """Take these records as samples, should they have more than is known."""
        usual = usual_columns(decoded.root).difference(self.poorer)
        if len(usual) > len(self.usual):
            self.usual = usual
        self._learn_lists(decoded)

    def learn_omissions(self, sample: Decoded) -> None:
        """Take these records, each asked for by itself, as samples of what is left out: all
        lacked a list already when they came in a page."""
        self._learn_lists(sample)
        for table, carried in sample.carried.items():
            lacks_always = len(carried) >= LEAST_OMISSIONS and carried.true_count == 0
            if lacks_always and table not in self._empty:
                self._omitted.add(table)

    def lacking(self, decoded: Decoded) -> Keys:
        """Records that lack a list which others have."""
        return decoded.ids.keys[self._lacks_a_list(decoded)]

    def is_whole(self, decoded: Decoded) -> Mask:
        """Which of these records are in full: with something that is usual, and all lists."""
        self._learn_lists(decoded)
        return self._has_usual(decoded.root) & ~self._lacks_a_list(decoded)

    def _lacks_a_list(self, decoded: Decoded) -> Mask:
        lacks = np.zeros(len(decoded.root), np.bool_)
        for table in self._filled - self._omitted:
            lacks |= ~decoded.carried[table].to_numpy(zero_copy_only=False)
        return lacks

    def _has_usual(self, root: pa.Table) -> Mask:
        """Which of these records have any of what is usual."""
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


def usual_columns(rows: pa.Table) -> frozenset[str]:
    """Columns in which almost all of these rows have a value."""
    most = len(rows) // UNUSUAL
    names = (name for name in rows.column_names if name not in ("id", EXTRA, DELETED_AT))
    return frozenset(name for name in names if len(rows) and rows[name].null_count <= most)
