"""Warehouse: the destinations: their tables, certificates, history, repair and compaction.

In:  a path or the name of a destination.
Out: `Raw`, through which tables are read and declared; certificates.
Knows nothing of the service or of how tables are filled.
Begin with `destination`.
"""

from wholesale_elt.warehouse import certificate, damage
from wholesale_elt.warehouse.certificate import TABLE, Certificate, Verdict, certify
from wholesale_elt.warehouse.compaction import Compacted, compact, rewrite
from wholesale_elt.warehouse.damage import (
    find_damage,
    forget_child_rows,
    has_noted_child_rows,
    note_child_rows,
    repair,
)
from wholesale_elt.warehouse.destination import Warehouse, warehouse_at, warehouse_in
from wholesale_elt.warehouse.guarantees import DUCKDB, tested
from wholesale_elt.warehouse.history import (
    History,
    LastRun,
    as_utc,
    read_changes,
    read_complete_moments,
    read_erased,
    read_histories,
    read_last_runs,
    read_profiles,
)
from wholesale_elt.warehouse.ports.duckdb_file import is_in_use, quoted
from wholesale_elt.warehouse.ports.lake import COPY as LAKE_COPY
from wholesale_elt.warehouse.ports.postgres import dsn_to
from wholesale_elt.warehouse.raw import RAW_DATASET, Pinned, Raw
from wholesale_elt.warehouse.run_tables import (
    ERASED,
    ERASED_SCHEMA,
    RUN_TABLES,
    Aspect,
    SchemaChange,
    rows_of_run,
)
from wholesale_elt.warehouse.versions import (
    VERSIONS,
    VERSIONS_SCHEMA,
    read_version,
    refuse_newer,
    this_version,
    version_row,
)

__all__ = [
    "DUCKDB",
    "ERASED",
    "ERASED_SCHEMA",
    "LAKE_COPY",
    "RAW_DATASET",
    "RUN_TABLES",
    "TABLE",
    "VERSIONS",
    "VERSIONS_SCHEMA",
    "Aspect",
    "Certificate",
    "Compacted",
    "History",
    "LastRun",
    "Pinned",
    "Raw",
    "SchemaChange",
    "Verdict",
    "Warehouse",
    "as_utc",
    "certificate",
    "certify",
    "compact",
    "damage",
    "dsn_to",
    "find_damage",
    "forget_child_rows",
    "has_noted_child_rows",
    "is_in_use",
    "note_child_rows",
    "quoted",
    "read_changes",
    "read_complete_moments",
    "read_erased",
    "read_histories",
    "read_last_runs",
    "read_profiles",
    "read_version",
    "refuse_newer",
    "repair",
    "rewrite",
    "rows_of_run",
    "tested",
    "this_version",
    "version_row",
    "warehouse_at",
    "warehouse_in",
]
