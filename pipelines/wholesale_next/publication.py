"""Publication: each version has the claims of all versions before it, and its own."""

import duckdb

from wholesale_elt.publish import Build, Comparison
from wholesale_elt.warehouse import Warehouse
from wholesale_next.claims import Told, claims_of
from wholesale_next.tables import CLAIMS


def wanted() -> Comparison:
    """The claims of a version: those of the place in which it is published. There is no setting."""

    def tell(
        connection: duckdb.DuckDBPyConnection, warehouse: Warehouse, build: Build
    ) -> list[Told]:
        return [(CLAIMS, claims_of(connection, build))]

    return Comparison((CLAIMS,), tell, takes_over=True)
