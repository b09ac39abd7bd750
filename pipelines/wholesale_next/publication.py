"""Publication: each version has the claims of all versions before it, and its own."""

from typing import TYPE_CHECKING

import duckdb

from wholesale_elt.publish import Build, Comparison, DescribedTable
from wholesale_elt.warehouse import Warehouse
from wholesale_next.claims import KINDS, claims_of

if TYPE_CHECKING:
    import pyarrow as pa


def wanted() -> Comparison:
    """The claims of a version: those of the place in which it is published. There is no setting."""

    def tell(
        connection: duckdb.DuckDBPyConnection, warehouse: Warehouse, build: Build
    ) -> "list[tuple[DescribedTable, pa.Table]]":
        return [(kind.table, claims_of(connection, kind, build)) for kind in KINDS]

    return Comparison([kind.table for kind in KINDS], tell, takes_over=True)
