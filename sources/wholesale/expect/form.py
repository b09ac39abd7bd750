"""Form: which records came in full, by what the profile of the service says of full records.

A record may come with less than it has: as a row of the order list in the place of the verbose
form, or with null for its lines (§2.4). Absence is not emptiness: `[]` says that a list is empty;
one that is null or missing says nothing, unless the service leaves out empty lists.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wholesale.names import DELETED_AT, EXTRA
from wholesale.tables import Decoded, Mask, filled_columns, is_unreadable, misfit_columns

UNUSUAL = 10
"""A column belongs to the full form if at most one record in so many lacks it."""
LIST_OF_OBJECTS = "a list of objects as"
"""Begins the name of a list that is there, as something else."""
LEAST_RECORDS = 10
"""Where only changed records come, fewer of them may all lack a column by chance."""


@dataclass(frozen=True, slots=True)
class Form:
    """What full records of a resource have.

    - `columns`: those that almost all full records have, but for those that list rows have too.
    - `left_out`: child tables whose list is null or missing in records that have no entries.
    """

    columns: frozenset[str]
    left_out: frozenset[str]

    def is_whole(self, decoded: Decoded, *, are_all: bool) -> Mask:
        """Which of these records have all their lists, and a value in one of the columns, or for it
        in their `_extra`; none, if a column is missing. `are_all`: as in `missing`."""
        is_whole = self._has_a_column(decoded.root)
        if self.missing(decoded, are_all=are_all):
            is_whole[:] = False
        for table in decoded.carried:
            is_whole &= ~self._lacks(table, decoded)
        return is_whole

    def missing(self, decoded: Decoded, *, are_all: bool) -> list[str]:
        """Expected columns missing from all these records. A few changed records may lack one by
        chance, and tell nothing; `are_all`: they are a whole page of their list."""
        least = 1 if are_all else LEAST_RECORDS
        if len(decoded.root) < least:
            return []
        missing = self.columns - filled_columns(decoded.root)
        return sorted(missing - misfit_columns(decoded.root)) if missing else []

    def lacking_lists(self, decoded: Decoded) -> dict[str, Mask]:
        """Which of these records lack a list, by its field, and which have something else in its
        place; lists that none lacks are left out."""
        lacking: dict[str, Mask] = {}
        for child in decoded.shape.children:
            lacks, is_odd = self._lacks(child.table, decoded), is_unreadable(child.table, decoded)
            lacking[child.field] = lacks & ~is_odd
            lacking[f"{LIST_OF_OBJECTS} {child.field}"] = lacks & is_odd
        return {field: lacks for field, lacks in lacking.items() if lacks.any()}

    def _lacks(self, table: str, decoded: Decoded) -> Mask:
        carried: Mask = decoded.carried[table].to_numpy(zero_copy_only=False)
        if carried.all() or table not in self.left_out:
            return ~carried
        return ~carried & is_unreadable(table, decoded)

    def _has_a_column(self, root: pa.Table) -> Mask:
        has_any = np.full(len(root), not self.columns)
        for name in sorted(self.columns.intersection(root.column_names)):
            if has_any.all():
                break
            has_any |= pc.is_valid(root[name]).to_numpy()
        for row in np.flatnonzero(~has_any & pc.is_valid(root[EXTRA]).to_numpy()).tolist():
            has_any[row] = bool(misfit_columns(root.slice(row, 1)) & self.columns)
        return has_any


def usual_columns(rows: pa.Table) -> frozenset[str]:
    """Columns in which almost all of these rows have a value."""
    most = len(rows) // UNUSUAL
    names = (name for name in rows.column_names if name not in ("id", EXTRA, DELETED_AT))
    return frozenset(name for name in names if len(rows) and rows[name].null_count <= most)
