"""Described: what makes a published DuckDB file explain itself to who has nothing but a connection.

Every table, view and column has a comment. `main` has views with the names that one tries first,
and a macro for each metric; `as_double` has views whose amounts are floats, for tools that draw,
and `meta` tells of the rest.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby

import duckdb

from wholesale_elt.models import BUSINESS, PUBLIC, read_contract
from wholesale_elt.publish.description.macros import metric_macros
from wholesale_elt.publish.description.meta import (
    META,
    TABLES,
    DescribedColumn,
    DescribedTable,
    write_meta,
)
from wholesale_elt.publish.manifest import Build
from wholesale_elt.publish.tables import Source
from wholesale_elt.warehouse import comments

MAIN, DOUBLES = "main", "as_double"
PLAIN: Mapping[str, str] = {
    "sales_orders": "fct_orders",
    "orders": "fct_orders",
    "order_lines": "fct_order_lines",
    "buyers": "dim_buyers",
    "vendors": "dim_vendors",
    "products": "rpt_catalogue",
    "categories": "dim_categories",
    "brands": "dim_brands",
    "daily_sales": "rpt_daily_sales",
    "monthly_sales": "rpt_vendor_scorecard",
    "late_buyers": "rpt_reorders",
    "receivables": "rpt_receivables",
}
"""Views in `main`, and the tables whose rows they have."""
SOME: Mapping[str, tuple[str, str]] = {
    "sales_orders": (
        "is_sale",
        "Which orders are sales? One row per order that is neither cancelled nor deleted, so that"
        " plain sums are right: its amounts, counts of its lines and comments, states and dates.",
    ),
    "late_buyers": (
        "is_late",
        "Which buyers are silent for longer than is usual for them? One row per buyer, with what it"
        " bought in all. One that has lapsed may come back less easily: `is_lapsed`.",
    ),
    "receivables": (
        "is_open",
        "What do buyers owe? One row per order that was sent, and is not paid."
        " Those in an unknown state of payment are not among them: `rpt_open_orders_totals` counts"
        " them.",
    ),
}
"""Of a view that does not have all rows: the column that is true of its rows, and what they are."""
FLOATS = "Amounts as floats, for tools that draw: sums of them are not exact. "


def describe_database(
    connection: duckdb.DuckDBPyConnection,
    sources: Iterable[Source],
    compared: Iterable[DescribedTable],
    written: Collection[str],
    build: Build,
    software: str,
    digests: Mapping[str, str],
) -> Mapping[str, str]:
    """Complete the attached `version` of these tables of the `warehouse`, attached too, and of what
    tells how it is `compared`.

    Of a table that is not among those `written`, it has the comments and views already. Returned
    are all its digests, by `schema.table`; those given are known, others are made.
    """
    ((home,),) = connection.execute("select current_database()").fetchall()
    # A view finds names without a database in its own, under whatever name that is attached.
    connection.execute("use version; begin")
    try:
        for schema in (DOUBLES, META):
            connection.execute(f"create schema if not exists {schema}")
        tables = list(_tables(connection, sources))
        plain = list(_plain_views({table.name: table for table in tables}))
        own = [*tables, *plain, *_compared(connection, compared)]
        described = [*own, *_double_views(own)]
        new = [table for table in described if table.base in written]
        for table in new:
            if table.query:
                connection.execute(f"create or replace view {table.place} as {table.query}")
        for statement in metric_macros(tables):
            connection.execute(statement)
        found = write_meta(connection, described, build, software, digests)
        for table in (*new, *TABLES):
            meanings = {name: column.description for name, column in table.columns.items()}
            connection.execute(comments(table.kind, table.place, table.description, meanings))
        connection.execute("commit")
        return found
    finally:
        connection.execute(f'use "{home}"')


def _tables(
    connection: duckdb.DuckDBPyConnection, sources: Iterable[Source]
) -> Iterator[DescribedTable]:
    """The published tables, as the models declare them; what they do not has no description."""
    contract = read_contract(*PUBLIC)
    there = {(source.schema, source.table): source for source in sources}
    columns = connection.execute(
        "select schema_name, table_name, column_name, data_type from duckdb_columns()"
        " where database_name = 'version' order by schema_name, table_name, column_index"
    ).fetchall()
    for (schema, name), found in groupby(columns, key=lambda row: (row[0], row[1])):
        if (schema, name) not in there:  # of `meta`, or a view
            continue
        source = there[schema, name]
        declared = contract.get(name)
        of = declared.columns if declared else {}
        held = {column: DescribedColumn.of(of.get(column), type_) for *_, column, type_ in found}
        yield DescribedTable(
            schema=schema,
            name=name,
            base=name,
            columns=held,
            description=declared.description if declared else "",
            about=declared.about if declared else BUSINESS,
            key=declared.key if declared and held.keys() >= set(declared.key) else (),
            rows=source.rows,
            files=source.stored.files if source.stored else (),
        )


def _plain_views(tables: Mapping[str, DescribedTable]) -> Iterator[DescribedTable]:
    names = {table: view for view, table in PLAIN.items()}
    for view, name in PLAIN.items():
        if table := tables.get(name):
            column, description = SOME.get(view, ("", table.description))
            if column and column not in table.columns:
                continue
            where = f" where {column}" if column else ""
            query = f"select * from {table.place}{where}"
            yield table.as_view(MAIN, view, query, description).referring(names)


def _compared(
    connection: duckdb.DuckDBPyConnection, tables: Iterable[DescribedTable]
) -> Iterator[DescribedTable]:
    for table in tables:
        ((rows,),) = connection.execute(f"select count(*) from {table.place}").fetchall()
        yield replace(table, rows=rows)


def _double_views(tables: Iterable[DescribedTable]) -> Iterator[DescribedTable]:
    """Of each table or view with decimals one of the same name."""
    for table in tables:
        decimals = [name for name, of in table.columns.items() if of.type.startswith("DECIMAL")]
        if decimals:
            casts = ", ".join(f'cast("{name}" as double) as "{name}"' for name in decimals)
            query = f"select * replace ({casts}) from {table.place}"
            view = table.as_view(DOUBLES, table.name, query, FLOATS + table.description)
            yield view.typed(dict.fromkeys(decimals, "DOUBLE"))
