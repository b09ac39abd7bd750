"""Warehouse: the destinations, each opened, held by one run, read, written and compacted.

In:  a path or the name of a destination.
Out: `Warehouse`, and `Raw`, through which its raw tables are read and written.
Knows nothing of the service, of runs, or of how tables are filled.
Begin with `destination`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.warehouse.commenting import comments
    from wholesale_elt.warehouse.compaction import compact, rehearse, rewrite
    from wholesale_elt.warehouse.destination import NotLoaded, Warehouse, warehouse_at, warehouse_in
    from wholesale_elt.warehouse.dialect import Dialect
    from wholesale_elt.warehouse.guarantees import DUCKDB, tested
    from wholesale_elt.warehouse.names import (
        ATTACHED,
        CERTIFICATES,
        PIPELINE,
        RAW_DATASET,
        RELEASES,
        SCHEMAS,
    )
    from wholesale_elt.warehouse.port import (
        Compacted,
        Destination,
        SharedSetting,
        StoredTable,
    )
    from wholesale_elt.warehouse.ports.compaction import compact_file
    from wholesale_elt.warehouse.ports.duckdb_file import DuckDBFile, is_in_use
    from wholesale_elt.warehouse.ports.duckdb_raw import DuckDBRaw
    from wholesale_elt.warehouse.ports.files import create, quoted, refuse_query
    from wholesale_elt.warehouse.ports.postgres_server import PostgresServer, dsn_to
    from wholesale_elt.warehouse.raw import Raw
    from wholesale_elt.warehouse.raw_reader import Part, RawReader
    from wholesale_elt.warehouse.reading import (
        OF_FILES,
        PUBLISHED,
        attach_file,
        logs_beside,
        open_file,
        open_files,
    )
    from wholesale_elt.warehouse.selects import GENERATING, name_in, one_select
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "ATTACHED",
    "CERTIFICATES",
    "DUCKDB",
    "GENERATING",
    "OF_FILES",
    "PIPELINE",
    "PUBLISHED",
    "RAW_DATASET",
    "RELEASES",
    "SCHEMAS",
    "Compacted",
    "Destination",
    "Dialect",
    "DuckDBFile",
    "DuckDBRaw",
    "NotLoaded",
    "Part",
    "PostgresServer",
    "Raw",
    "RawReader",
    "SharedSetting",
    "StoredTable",
    "Warehouse",
    "attach_file",
    "comments",
    "compact",
    "compact_file",
    "create",
    "dsn_to",
    "is_in_use",
    "logs_beside",
    "name_in",
    "one_select",
    "open_file",
    "open_files",
    "quoted",
    "refuse_query",
    "rehearse",
    "rewrite",
    "tested",
    "warehouse_at",
    "warehouse_in",
]
