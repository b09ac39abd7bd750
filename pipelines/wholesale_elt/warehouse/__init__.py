"""Warehouse: the destinations, each opened, held by one run, read, written and compacted.

In:  a path or the name of a destination.
Out: `Warehouse`, and `Raw`, through which its raw tables are read and written.
Knows nothing of the service, of runs, or of how tables are filled.
Begin with `destination`.
"""

from wholesale_elt.warehouse.compaction import Compacted, compact, rewrite
from wholesale_elt.warehouse.destination import NotLoaded, Warehouse, warehouse_at, warehouse_in
from wholesale_elt.warehouse.guarantees import DUCKDB, tested
from wholesale_elt.warehouse.ids import digits_of, same_id
from wholesale_elt.warehouse.ports.duckdb_file import is_in_use, quoted, refuse_query
from wholesale_elt.warehouse.ports.lake import COPY as LAKE_COPY
from wholesale_elt.warehouse.ports.postgres_server import dsn_to
from wholesale_elt.warehouse.raw import CERTIFICATES, RAW_DATASET, Part, Pinned, Raw

__all__ = [
    "CERTIFICATES",
    "DUCKDB",
    "LAKE_COPY",
    "RAW_DATASET",
    "Compacted",
    "NotLoaded",
    "Part",
    "Pinned",
    "Raw",
    "Warehouse",
    "compact",
    "digits_of",
    "dsn_to",
    "is_in_use",
    "quoted",
    "refuse_query",
    "rewrite",
    "same_id",
    "tested",
    "warehouse_at",
    "warehouse_in",
]
