"""Rendered: the SQL of the project in each dialect, and what becomes of a call of a macro."""

from functools import cache

from wholesale_elt.models.rendering.nodes import Renderer
from wholesale_elt.models.rendering.sources import read_sources
from wholesale_elt.warehouse import Dialect, DuckDBRaw
from wholesale_elt.warehouse.ports.postgres import PostgresRaw
from wholesale_lake.engine import DIALECT as SPARK

DUCKDB, POSTGRES = DuckDBRaw.dialect, PostgresRaw.dialect
DIALECTS = {dialect.name: dialect for dialect in (DUCKDB, POSTGRES, SPARK)}


@cache
def renderer(dialect: Dialect) -> Renderer:
    return Renderer(read_sources(dialect), dialect)


def called(call: str, dialect: Dialect = DUCKDB) -> str:
    return renderer(dialect).text(f"{{{{ {call} }}}}")
