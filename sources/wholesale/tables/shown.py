"""Shown: which columns and lists of decoded records show something, readable or not."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wholesale.names import DELETED_AT, EXTRA
from wholesale.tables.decoded import Decoded
from wholesale.tables.ids import Mask
from wholesale.tables.shapes import column_name


def shown_columns(rows: pa.Table) -> frozenset[str]:
    """The columns that have a value in one of these rows, or a misfit in its `_extra`."""
    return filled_columns(rows) | misfit_columns(rows).intersection(rows.column_names)


def filled_columns(rows: pa.Table) -> frozenset[str]:
    """The columns that have a value in one of these rows."""
    names = (name for name in rows.column_names if name not in (EXTRA, DELETED_AT))
    return frozenset(name for name in names if rows[name].null_count < len(rows))


def misfit_columns(rows: pa.Table) -> frozenset[str]:
    """The columns of which the `_extra` of one of these rows keeps a value as it was sent."""
    texts = rows[EXTRA].drop_null().to_pylist()
    return frozenset(column_name(name) for text in texts for name in json.loads(text))


def is_unreadable(table: str, decoded: Decoded) -> Mask:
    """Which records came with something else than a list of objects in the place of this one: it
    is kept in their `_extra`, or in those of its entries, and says neither that the list is there
    nor that it is empty."""
    (child,) = (child for child in decoded.shape.children if child.table == table)
    kept = pc.match_substring(decoded.root[EXTRA], f'"{child.field}":')
    unreadable: Mask = pc.fill_null(kept, False).to_numpy().astype(np.bool_)
    unreadable[decoded.owners[table].to_numpy()] = True
    carried: Mask = decoded.carried[table].to_numpy(zero_copy_only=False)
    return unreadable & ~carried
