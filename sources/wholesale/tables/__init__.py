"""Tables: the JSON of pages in, Arrow tables out; nothing is lost and nothing is fatal.

In:  `RawPage`s and the shape known so far.
Out: `Decoded`: the tables of a resource and its children, the shape grown by what came.
Knows nothing of where pages come from or what becomes of the tables.
Begin with `decoder`.
"""

from wholesale.tables.decoded import Decoded, Misfit, Quarantined, empty, one_chunk
from wholesale.tables.decoder import decode
from wholesale.tables.ids import (
    KEY,
    Ids,
    Keys,
    Mask,
    are_distinct,
    concat,
    find,
    in_order,
    keys_of,
    keys_of_texts,
    order_of,
    pack,
)
from wholesale.tables.lines import Lines, size_of
from wholesale.tables.quarantine import QUARANTINE, QUARANTINE_SCHEMA, quarantine_table
from wholesale.tables.shapes import TableShape, arrow_schema, column_name, is_id, shape_of
from wholesale.tables.shown import filled_columns, is_unreadable, misfit_columns, shown_columns
from wholesale.tables.values import Unreadable, read_timestamp

__all__ = [
    "KEY",
    "QUARANTINE",
    "QUARANTINE_SCHEMA",
    "Decoded",
    "Ids",
    "Keys",
    "Lines",
    "Mask",
    "Misfit",
    "Quarantined",
    "TableShape",
    "Unreadable",
    "are_distinct",
    "arrow_schema",
    "column_name",
    "concat",
    "decode",
    "empty",
    "filled_columns",
    "find",
    "in_order",
    "is_id",
    "is_unreadable",
    "keys_of",
    "keys_of_texts",
    "misfit_columns",
    "one_chunk",
    "order_of",
    "pack",
    "quarantine_table",
    "read_timestamp",
    "shape_of",
    "shown_columns",
    "size_of",
]
