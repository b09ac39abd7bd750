"""Summaries: what the entries of a list hold and the full form of a record may lack.

The description shows fields in the summary of an order that the full form is not shown to have
(§2.4). Should it lack them, they are taken over from the summaries.
"""

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from wholesale.tables import Decoded, TableShape, one_chunk


def summary_shape(shape: TableShape, columns: Sequence[str]) -> TableShape:
    """The part of a shape that summaries have: these columns, and fields found in the data."""
    mappings = (p for p in shape.mappings if p.column in columns or p.section is None)
    return replace(shape, mappings=tuple(mappings), children=())


def found_columns(shape: TableShape) -> tuple[str, ...]:
    """Columns of a table that the description does not show."""
    return tuple(mapping.column for mapping in shape.mappings if mapping.section is None)


def with_found(shape: TableShape, summary: TableShape) -> TableShape:
    """The whole shape with what was found in summaries; a column of both is one."""
    found = {mapping.column: mapping for mapping in summary.mappings if mapping.section is None}
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
        untyped_fields=(shape.untyped_fields | summary.untyped_fields) - fields,
    )


class Summaries:
    """Columns of listed records, kept while it is not known that the full form has them too."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = tuple(columns)
        self._kept: list[pa.Table] = []

    def add(self, columns: Sequence[str]) -> None:
        """Keep these columns too, from now on."""
        self._columns += tuple(name for name in columns if name not in self._columns)

    def compare_with(self, full: pa.Table) -> None:
        """Keep only what these records in full have no value for."""
        self._columns = _without_values(full, self._columns)

    def keep(self, rows: pa.Table) -> None:
        """Remember these summaries, as far as they may be needed."""
        columns = [name for name in self._columns if name in rows.column_names]
        if columns and len(rows):
            self._kept.append(rows.select(["id", *columns]))

    def clear(self) -> None:
        """Forget them, before the list is read once more."""
        self._kept = []

    def fill(self, decoded: Decoded) -> Decoded:
        """These records with the kept values, in columns that are wholly without."""
        root = decoded.root
        absent = _without_values(root, self._columns)
        if not absent or not self._kept:
            return decoded
        # The newest is found first; a column that was found late is null before.
        kept = pa.concat_tables(reversed(self._kept), promote_options="default")
        index = pc.index_in(root["id"], value_set=one_chunk(kept["id"]))
        for name in set(absent).intersection(kept.column_names):
            place = root.schema.get_field_index(name)
            root = root.set_column(place, root.schema.field(place), kept[name].take(index))
        return replace(decoded, tables={**decoded.tables, decoded.shape.table: root})


def _without_values(root: pa.Table, columns: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in columns if root[name].null_count == len(root))
