"""Unlike: where rows of a list contradict the full records of the same version."""

from collections.abc import Collection

import pyarrow as pa
import pyarrow.compute as pc

from wholesale.compare import hash_values
from wholesale.tables import find, keys_of, order_of


def unlike_columns(
    listed: pa.Table, full: pa.Table, columns: Collection[str], version: str = "updated_at"
) -> list[str]:
    """Those of these columns in which a row of the list contradicts its full record of the same
    version, also by a value that only one of the two has."""
    places = find_rows(listed, full)
    listed, full = listed.filter(pc.is_valid(places)), full.take(places.drop_null())
    is_same = pc.fill_null(pc.equal(listed[version], full[version]), True)
    listed, full = listed.filter(is_same), full.filter(is_same)
    return [
        name
        for name in columns
        if name in listed.column_names and name in full.column_names
        if (hash_values(listed, [name]) != hash_values(full, [name])).any()
    ]


def find_rows(rows: pa.Table, among: pa.Table) -> pa.Array:
    """For each row the place of the record with its id in another table; null where there is
    none."""
    keys = keys_of(among["id"])
    order = order_of(keys)
    places, is_there = find(keys[order], keys_of(rows["id"]))
    return pa.array(order[places] if len(order) else places, pa.int64(), mask=~is_there)
