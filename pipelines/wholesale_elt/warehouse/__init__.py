"""Warehouse: the destination and its past: tables as they are, certificates, history, room.

In:  a path or the name of a destination.
Out: `Raw`, through which tables are read and declared; certificates.
Knows nothing of the service, and how tables are filled.
Begin with `destination`.
"""

from wholesale_elt.warehouse import certificate
from wholesale_elt.warehouse.account import SCHEMAS, account_of
from wholesale_elt.warehouse.certificate import TABLE, Certificate, Verdict, certify
from wholesale_elt.warehouse.compaction import Compacted, compact
from wholesale_elt.warehouse.damage import find_damage, repair
from wholesale_elt.warehouse.destination import DUCKDB, RAW_DATASET, Warehouse, quoted
from wholesale_elt.warehouse.history import (
    History,
    as_utc,
    read_complete_as_of,
    read_history,
    read_last_run,
    read_profiles,
)
from wholesale_elt.warehouse.raw import Raw

__all__ = [
    "DUCKDB",
    "RAW_DATASET",
    "SCHEMAS",
    "TABLE",
    "Certificate",
    "Compacted",
    "History",
    "Raw",
    "Verdict",
    "Warehouse",
    "account_of",
    "as_utc",
    "certificate",
    "certify",
    "compact",
    "find_damage",
    "quoted",
    "read_complete_as_of",
    "read_history",
    "read_last_run",
    "read_profiles",
    "repair",
]
