"""Summaries: fields that the entries of a list have and the full form of a record may lack.

The description shows fields in the summary of an order that it does not show in the full form
(§2.4). If the full form lacks them, they are copied from the summary.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from wholesale.tables import Decoded, Keys, Mask, TableShape, find, keys_of


def summary_shape(shape: TableShape, columns: Sequence[str]) -> TableShape:
    """The part of a shape that summaries have: these columns, and those found in the data."""
    mappings = (p for p in shape.mappings if p.column in columns or p.section is None)
    return replace(shape, mappings=tuple(mappings), children=())


def found_columns(shape: TableShape) -> tuple[str, ...]:
    """Columns of a table that the description does not show."""
    return tuple(mapping.column for mapping in shape.mappings if mapping.section is None)


def with_found(shape: TableShape, summary: TableShape) -> TableShape:
    """The shape with the columns that were found in summaries.

    Child tables are filled from full records only, even where summaries show entries.
    """
    lists = shape.child_of.keys()
    found = {
        mapping.column: mapping
        for mapping in summary.mappings
        if mapping.section is None and lists.isdisjoint(mapping.fields)
    }
    mappings = tuple(
        found[mapping.column] if mapping.is_inherited and mapping.column in found else mapping
        for mapping in shape.mappings
    )
    known = {mapping.column for mapping in mappings}
    mappings += tuple(mapping for column, mapping in found.items() if column not in known)
    fields = {field for mapping in mappings for field in mapping.fields}
    return replace(
        shape,
        mappings=mappings,
        untyped_fields=(shape.untyped_fields | summary.untyped_fields) - fields - lists,
    )


class Summaries:
    """Keeps those columns of summaries that full records may lack, and fills them in there.

    Each record is looked at by itself, as a field may be there only if it has a value (§2.4:
    invoice details when an invoice was generated). `mask` is applied to records that were filled
    in, as only the summary of an order may name its buyer.
    """

    def __init__(
        self,
        columns: Sequence[str],
        version: str | None,
        mask: Callable[[Decoded], Decoded] = lambda decoded: decoded,
    ) -> None:
        self._mask = mask
        self._columns = (*columns, *([version] if version else []))
        self._version = version
        self._kept: list[pa.Table] = []
        self._index: _Index | None = None

    def add(self, columns: Sequence[str]) -> None:
        """Keep these columns too from now on."""
        self._columns += tuple(name for name in columns if name not in self._columns)

    def keep(self, rows: pa.Table, mask: Mask) -> None:
        """Keep the columns of those of these summaries that may be needed."""
        columns = [name for name in self._columns if name in rows.column_names]
        if columns and mask.any():
            names = dict.fromkeys(["id", *columns, *([self._version] if self._version else [])])
            self._kept.append(rows.select(list(names)).filter(pa.array(mask)))
            self._index = None

    def begin(self) -> None:
        """Forget the kept rows before the list is read once more."""
        self._kept, self._index = [], None

    def fill(self, decoded: Decoded) -> Decoded:
        """These records, with nulls filled from summaries of the same version."""
        root = decoded.root
        absent = [name for name in self._columns if root[name].null_count]
        if not absent or not self._kept:
            return decoded
        if self._index is None:
            self._index = _Index.of(self._kept)
            self._kept = [self._index.rows]
        kept, places = self._index.rows, self._index.places(decoded.ids.keys)
        if self._version:
            version, own = kept[self._version].take(places), root[self._version]
            is_same = pc.fill_null(pc.equal(version, own), True)
            places = pc.if_else(is_same, places, pa.scalar(None, places.type))
        for name in set(absent).intersection(kept.column_names):
            index = root.schema.get_field_index(name)
            filled = pc.coalesce(root[name], kept[name].take(places))
            root = root.set_column(index, root.schema.field(index), filled)
        return self._mask(replace(decoded, tables={**decoded.tables, decoded.shape.table: root}))


@dataclass(frozen=True, slots=True)
class _Index:
    """All kept summaries in one table, and the row of each key."""

    rows: pa.Table
    keys: Keys
    rows_of_keys: NDArray[np.intp]

    @staticmethod
    def of(parts: Sequence[pa.Table]) -> "_Index":
        """The last summary of each record; a column that was found later is null before."""
        rows = pa.concat_tables(reversed(parts), promote_options="default").combine_chunks()
        keys, first = np.unique(keys_of(rows["id"]), return_index=True)
        return _Index(rows, keys, first)

    def places(self, keys: Keys) -> pa.Array:
        """The row of each key; null where there is none."""
        places, is_here = find(self.keys, keys)
        return pa.array(self.rows_of_keys[places], mask=~is_here)
