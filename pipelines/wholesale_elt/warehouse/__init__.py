"""Warehouse: the destination and its past: tables as they are, certificates, history, room.

In:  a path or the name of a destination.
Out: `Raw`, through which tables are read and declared; certificates.
Knows nothing of the service, and how tables are filled.
Begin with `destination`.
"""

from wholesale_elt.warehouse import certificate
from wholesale_elt.warehouse.certificate import TABLE, Certificate, Verdict, certify, table_of
from wholesale_elt.warehouse.compaction import Compacted, compact
from wholesale_elt.warehouse.destination import DUCKDB, RAW_DATASET, Warehouse, quoted
from wholesale_elt.warehouse.history import History, as_utc, read_history
from wholesale_elt.warehouse.raw import Raw

__all__ = [
    "DUCKDB",
    "RAW_DATASET",
    "TABLE",
    "Certificate",
    "Compacted",
    "History",
    "Raw",
    "Verdict",
    "Warehouse",
    "as_utc",
    "certificate",
    "certify",
    "compact",
    "quoted",
    "read_history",
    "table_of",
]
