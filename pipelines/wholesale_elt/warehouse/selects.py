"""Selects: whether a text is one statement of SQL that does nothing but read.

DuckDB's parser tells what it is; the names of table functions are compared with a list, as among
them are some that write, change settings, read files, or run the SQL of a text.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import duckdb

from wholesale.errors import WholesaleError, one_line

GENERATING = frozenset({"range", "generate_series", "unnest", "repeat_row"})
"""Table functions that make rows of their arguments."""
DESCRIBING = frozenset(
    {
        *("duckdb_columns", "duckdb_constraints", "duckdb_databases", "duckdb_functions"),
        *("duckdb_indexes", "duckdb_keywords", "duckdb_schemas", "duckdb_sequences"),
        *("duckdb_tables", "duckdb_types", "duckdb_views"),
        *("pg_timezone_names", "pragma_show", "pragma_table_info", "pragma_version"),
    }
)
"""Those that tell what is in a database."""
READ_TABLE, CALLED = "BASE_TABLE", "TABLE_FUNCTION"
IS_FILE = re.compile(r"[/\\]|\.parquet$", re.IGNORECASE)
"""What DuckDB would take for a file, where no table has that name: views of a version may read
files of a lake, and these have columns that are not published."""
EXPLAIN = re.compile(r"\s*explain(?:\s+analyze\b|\s*\([\w\s,]*\))?(?=\s)", re.IGNORECASE)
"""No comment may hide in it."""
Node = dict[str, Any]


class NotOneSelect(WholesaleError):
    """SQL that is more than one statement, or does more than read."""


def one_select(
    connection: duckdb.DuckDBPyConnection, text: str
) -> tuple[duckdb.Statement, Sequence[Node]]:
    """The one statement of a text, and its nodes as DuckDB's parser has them: a SELECT, DESCRIBE,
    SHOW or SUMMARIZE, or an EXPLAIN of one.

    Raises: NotOneSelect for anything else; duckdb.Error for what is no SQL.
    """
    statements = connection.extract_statements(text)
    if len(statements) != 1:
        given = f"these are {len(statements)}" if statements else "this is none"
        raise NotOneSelect(f"one statement is answered, and {given}")
    [statement] = statements
    read = statement.query
    if explain := EXPLAIN.match(read):
        read = read[explain.end() :]
    nodes = _nodes_of(connection, read)
    for node in nodes:
        function = name_in(node)
        if node.get("type") == READ_TABLE and IS_FILE.search(_place_in(node)):
            raise NotOneSelect("a statement reads tables and views, and no file by its name")
        if node.get("type") == CALLED and function not in GENERATING | DESCRIBING:
            raise NotOneSelect(
                f"the table function {one_line(function, 80)} is not allowed: a statement reads"
                " tables and views"
            )
    return statement, nodes


def name_in(node: Node) -> str:
    """The table or function that a node reads or calls; empty for other nodes."""
    function = node.get("function") or {}
    found = node.get("table_name") or node.get("function_name") or function.get("function_name")
    return str(found or "").lower()


def _place_in(node: Node) -> str:
    """The name of a table with those of its schema and database, as DuckDB finds a file by it."""
    names = (node.get(f"{each}_name") for each in ("catalog", "schema", "table"))
    return ".".join(str(name) for name in names if name)


def _nodes_of(connection: duckdb.DuckDBPyConnection, text: str) -> Sequence[Node]:
    [(told,)] = connection.execute("select json_serialize_sql(?)", [text]).fetchall()
    try:
        tree = json.loads(told)
    except RecursionError:
        raise NotOneSelect("the statement is nested too deeply") from None
    if tree["error"]:
        raise NotOneSelect(
            "only a statement that reads is answered: SELECT, DESCRIBE, SHOW, SUMMARIZE, or EXPLAIN"
            " of one of them"
        )
    return list(_nodes(tree))


def _nodes(tree: Node) -> Iterator[Node]:
    """All objects within it; not by recursion, as a statement may be nested deeper than that."""
    left: list[Any] = [tree]
    while left:
        entry = left.pop()
        if isinstance(entry, dict):
            yield entry
            left.extend(entry.values())
        elif isinstance(entry, list):
            left.extend(entry)
