"""SQL: checks that a query reads only tables of the version, its own CTEs, and generated rows.

DuckDB's system tables would reveal paths, settings, secrets and extensions of the machine.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import duckdb

from wholesale_agents.version import DescribedTable
from wholesale_elt.figures import Unanswerable

TABLE_FUNCTIONS = frozenset({"range", "generate_series", "unnest", "repeat_row"})
REVEALING_FUNCTIONS = frozenset({"current_setting", "getenv"})
READ_TABLE = "BASE_TABLE"
CALLED = "TABLE_FUNCTION"
SHOWN = "SHOW_REF"
"""DESCRIBE, SHOW and SUMMARIZE."""
OF_DUCKDB = ("duckdb_", "pragma_", "sqlite_", "pg_")
"""How the names of DuckDB's system tables begin that need no schema."""
ONE_SELECT = "only one SELECT statement is answered"


def check_names(query: str, tables: Mapping[str, DescribedTable]) -> None:
    """Raises: Unanswerable for a SELECT that reads anything but these tables, in whatever way."""
    with duckdb.connect() as parser:
        [(text,)] = parser.execute("select json_serialize_sql(?)", [query]).fetchall()
    nodes = list(_nodes(json.loads(text)))
    if any(node.get("error") for node in nodes[:1]):
        raise Unanswerable(ONE_SELECT)
    known = {(table.schema, name) for name, table in tables.items()}
    own = {entry["key"].lower() for node in nodes for entry in _ctes(node)}
    known |= {("", name) for name in (*tables, *own) if not name.startswith(OF_DUCKDB)}
    for node in nodes:
        name = _name_in(node)
        if node.get("type") == SHOWN:
            raise Unanswerable("DESCRIBE, SHOW and SUMMARIZE are not answered: ask explain")
        if node.get("type") == READ_TABLE and (node["schema_name"].lower(), name) not in known:
            raise Unanswerable(f"there is no table called {name[:80]!r}: ask list_reports")
        if node.get("type") == CALLED and name not in TABLE_FUNCTIONS:
            raise Unanswerable(
                f"the table function {name[:80]} is not allowed: read tables of list_reports"
            )
        if node.get("class") == "FUNCTION" and name in REVEALING_FUNCTIONS:
            raise Unanswerable(
                f"the function {name} is not allowed: it reveals settings of the machine"
            )


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    if isinstance(tree, dict):
        yield tree
        tree = list(tree.values())
    if isinstance(tree, list):
        for entry in tree:
            yield from _nodes(entry)


def _ctes(node: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (node.get("cte_map") or {}).get("map", [])
    return found


def _name_in(node: dict[str, Any]) -> str:
    function = node.get("function") or {}
    found = node.get("table_name") or node.get("function_name") or function.get("function_name")
    return str(found or "").lower()
