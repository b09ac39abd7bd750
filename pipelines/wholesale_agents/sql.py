"""SQL: one SELECT that reads only tables of the version, its own CTEs, and generated rows.

DuckDB's system tables would reveal paths, settings, secrets and extensions of the machine.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

from wholesale.errors import Unanswerable
from wholesale_agents.bounds import fitting
from wholesale_agents.version import LIMITS, as_rows
from wholesale_elt.warehouse import GENERATING, PUBLISHED, name_in, one_select, open_file

MOST_ROWS = 1_000
REVEALING_FUNCTIONS = frozenset({"current_setting", "getenv"})
READ_TABLE = "BASE_TABLE"
CALLED = "TABLE_FUNCTION"
SHOWN = "SHOW_REF"
"""DESCRIBE, SHOW and SUMMARIZE."""
OF_DUCKDB = ("duckdb_", "pragma_", "sqlite_", "pg_")
"""How the names of DuckDB's system tables begin that need no schema."""
TABLES = (
    "select schema_name, table_name from duckdb_tables() where database_name = current_database()"
    " union all select schema_name, view_name from duckdb_views()"
    " where database_name = current_database() and not internal"
)


def run_select(database: Path, query: str) -> dict[str, Any]:
    """The first rows, and whether there are more.

    Raises: Unanswerable or NotOneSelect for any other statement; duckdb.Error.
    """
    with open_file(database, limits=LIMITS) as connection:
        statement, nodes = one_select(connection, query)
        if statement.type != duckdb.StatementType.SELECT:
            raise Unanswerable("only one SELECT statement is answered")
        tables = connection.execute(TABLES).fetchall()
        _check_names(nodes, {(schema.lower(), name.lower()) for schema, name in tables})
        relation = connection.sql(query)
        rows = as_rows(relation.limit(MOST_ROWS + 1).to_arrow_table())
    kept = fitting({}, rows[:MOST_ROWS])
    return {"rows": kept, "has_more_rows": len(kept) < len(rows)}


def _check_names(nodes: Sequence[dict[str, Any]], tables: set[tuple[str, str]]) -> None:
    """Raises: Unanswerable for a SELECT that reads anything but these tables, in whatever way."""
    own = {("", entry["key"].lower()) for node in nodes for entry in _ctes(node)}
    known = tables | own | {("", name) for _, name in tables}
    for node in nodes:
        name = name_in(node)
        if node.get("type") == SHOWN:
            raise Unanswerable("DESCRIBE, SHOW and SUMMARIZE are not answered: ask explain")
        if node.get("type") == READ_TABLE:
            is_ours = node["catalog_name"].lower() in ("", PUBLISHED)
            is_known = (node["schema_name"].lower(), name) in known
            if not (is_ours and is_known) or name.startswith(OF_DUCKDB):
                raise Unanswerable(f"there is no table called {name[:80]!r}: ask list_reports")
        if node.get("type") == CALLED and name not in GENERATING:
            raise Unanswerable(
                f"the table function {name[:80]} is not allowed: read tables of list_reports"
            )
        if node.get("class") == "FUNCTION" and name in REVEALING_FUNCTIONS:
            raise Unanswerable(
                f"the function {name} is not allowed: it reveals settings of the machine"
            )


def _ctes(node: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (node.get("cte_map") or {}).get("map", [])
    return found
