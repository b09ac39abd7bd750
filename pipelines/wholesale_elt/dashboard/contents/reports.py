"""Reports: what each report, and each table that users added, says, and its first rows."""

import re
from collections.abc import Mapping, Sequence

import duckdb

from wholesale_elt.dashboard.columnar import Json, read_table
from wholesale_elt.dashboard.pages import PAGES
from wholesale_elt.models import OWN_SCHEMA, DeclaredTable, read_contract

REPORTS_FOLDER = "reports"
LAYERS = ("bi", "own")
SCHEMAS = ("wholesale_bi", OWN_SCHEMA)
MOST_ROWS = 50
"""First rows of a report that the page has."""
PLAIN = re.compile(r"DECIMAL.*|DATE|TIMESTAMP WITH TIME ZONE|VARCHAR|BOOLEAN|INTEGER|BIGINT")
"""Types that the page has a form for; others are told as texts."""
KINDS = {"BIGINT": "count", "INTEGER": "count", "DATE": "date"}
MONEY = "currency of the account"


def read_index(connection: duckdb.DuckDBPyConnection) -> Mapping[str, Json]:
    """What each report says, its rows and columns, and the pages that read it, by name: those that
    users added come last."""
    contract = read_contract(*LAYERS)
    found: dict[tuple[str, str], dict[str, str]] = {}
    for schema, table, column, type_ in connection.execute(
        "select schema_name, table_name, column_name, data_type from duckdb_columns()"
        " where database_name = current_database() and schema_name in (?, ?)"
        " order by schema_name = 'wholesale_bi' desc, table_name, column_index",
        SCHEMAS,
    ).fetchall():
        found.setdefault((schema, table), {})[column] = type_
    return {
        table: {
            "description": contract[table].description if table in contract else "",
            "is_own": schema == OWN_SCHEMA,
            "fields": [_column(contract.get(table), *each) for each in types.items()],
            "row_count": _count(connection, f'{schema}."{table}"'),
            "pages": [
                page.name for page in PAGES if table in page.models and page.name != REPORTS_FOLDER
            ],
            "sorted_by": _order(types)[0],
        }
        for (schema, table), types in found.items()
    }


def read_report(connection: duckdb.DuckDBPyConnection, table: str) -> Json:
    """The first rows of a report: the newest, or those with most."""
    found = connection.execute(
        "select column_name, data_type, schema_name from duckdb_columns()"
        " where database_name = current_database() and table_name = ?"
        " and schema_name in (?, ?) order by column_index",
        [table, *SCHEMAS],
    ).fetchall()
    types = {column: type_ for column, type_, _ in found}
    schema = found[0][2]
    columns = ", ".join(
        f'"{name}"' if PLAIN.fullmatch(type_) else f'cast("{name}" as varchar) as "{name}"'
        for name, type_ in types.items()
    )
    order = ", ".join(_order(types)[1])
    return read_table(
        connection,
        f'select {columns} from (from {schema}."{table}" order by {order} limit {MOST_ROWS})'
        f" order by {order}",
    )


def _count(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    [(count,)] = connection.sql(f"select count(*) from {table}").fetchall()
    return int(count)


def _column(declared: DeclaredTable | None, name: str, type_: str) -> Json:
    """How a column is called, written and explained."""
    known = declared.columns.get(name) if declared else None
    return {
        "name": name,
        "kind": "amount" if known and known.unit == MONEY else _kind(type_),
        "description": known.description if known else "",
    }


def _kind(type_: str) -> str:
    if type_.startswith("TIMESTAMP"):
        return "moment"
    return "number" if type_.startswith("DECIMAL") else KINDS.get(type_, "text")


def _order(types: Mapping[str, str]) -> tuple[str | None, Sequence[str]]:
    """The column that decides which rows are first, and the whole order: dates from the newest on,
    else figures from the largest on, then all columns, so that it is always the same."""
    kinds = {name: _kind(type_) for name, type_ in types.items()}
    first = next(
        (
            name
            for wanted in (("date", "moment"), ("count", "number"))
            for name, kind in kinds.items()
            if kind in wanted
        ),
        None,
    )
    begin = [f'"{first}" desc nulls last'] if first else []
    return first, [*begin, "all"] if not first else [*begin, *(f'"{name}"' for name in types)]
