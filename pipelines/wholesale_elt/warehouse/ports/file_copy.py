"""Copy of a DuckDB file: everything in `old` into an empty `new`, also what is not ours.

DuckDB copies the definitions by itself. The rows it would take in the order of the catalogue, in
which a table may come before another one that its foreign keys name.
"""

from collections.abc import Collection, Mapping, Sequence
from graphlib import TopologicalSorter

import duckdb

from wholesale.errors import WholesaleError, one_line

COPY_DEFINITIONS = "copy from database old to new (schema)"
Table = tuple[str, str]
"""A schema, and a table in it."""
Reference = tuple[Sequence[str], Sequence[str]]
"""Columns of a table, and those that they name of a row of the same table."""


class NotCopied(WholesaleError):
    """Something in the file cannot be copied into another one."""


def copy_definitions(both: duckdb.DuckDBPyConnection) -> None:
    """Copy everything but the rows. Raises: NotCopied."""
    try:
        both.execute(COPY_DEFINITIONS)
    except duckdb.Error as error:
        raise NotCopied(f"it cannot be written anew: {one_line(error, 200)}") from None


def copy_rows(both: duckdb.DuckDBPyConnection, tables: Collection[Table]) -> None:
    """Copy the rows of these tables, each in a transaction of its own, which stays small; parents
    first. Raises: NotCopied."""
    for table in _parents_first(both, tables):
        try:
            _copy(both, table)
        except duckdb.Error as error:
            raise NotCopied(
                f"its table {'.'.join(table)} cannot be written anew: {one_line(error, 200)}"
            ) from None


def row_counts(both: duckdb.DuckDBPyConnection, database: str) -> Mapping[Table, int]:
    """The number of rows of each table."""
    counts = {}
    for table in both.execute(
        "select schema_name, table_name from duckdb_tables() where database_name = ?", [database]
    ).fetchall():
        sql = f"select count(*) from {_named(database, table)}"
        ((counts[table],),) = both.execute(sql).fetchall()
    return counts


def _parents_first(both: duckdb.DuckDBPyConnection, tables: Collection[Table]) -> list[Table]:
    """These tables, each after those that its foreign keys name, which are of the same schema."""
    order = TopologicalSorter[Table]({table: () for table in tables})
    for schema, table, parent in both.execute(
        "select schema_name, table_name, referenced_table from duckdb_constraints()"
        " where database_name = 'old' and constraint_type = 'FOREIGN KEY'"
        " and referenced_table <> table_name"
    ).fetchall():
        if (schema, table) in tables:
            order.add((schema, table), (schema, parent))
    return [table for table in order.static_order() if table in tables]


def _copy(both: duckdb.DuckDBPyConnection, table: Table) -> None:
    """Copy the rows of a table; where some name others of it, as the nodes of a tree do, level by
    level, as DuckDB looks for a named row among those that were there before."""
    columns = ", ".join(map(_quoted, _stored_columns(both, table)))
    new, old = _named("new", table), _named("old", table)
    copy = f"insert into {new} ({columns}) select {columns} from {old}"
    references = _own_references(both, table)
    if not references:
        both.execute(copy)
        return
    key = references[0][1]
    is_left = f"not exists (select 1 from {new} as there where {_equal('there', key, 'it', key)})"
    ready = (
        f"({' or '.join(f'it.{_quoted(name)} is null' for name in names)} or exists"
        f" (select 1 from {new} as there where {_equal('there', named, 'it', names)}))"
        for names, named in references
    )
    level = f"{copy} as it where {' and '.join([is_left, *ready])}"
    while both.execute(level).fetchall() != [(0,)]:
        pass


def _stored_columns(both: duckdb.DuckDBPyConnection, table: Table) -> list[str]:
    """The columns of a table, without those that are computed from others."""
    columns = both.execute(
        "select column_name, column_default is not null from duckdb_columns()"
        " where database_name = 'old' and (schema_name, table_name) = (?, ?) order by column_index",
        table,
    ).fetchall()
    return [name for name, may_be in columns if not (may_be and _is_computed(both, table, name))]


def _is_computed(both: duckdb.DuckDBPyConnection, table: Table, column: str) -> bool:
    """Whether nothing can be inserted into a column: the catalogue shows how it is computed in the
    place of a default."""
    insert = f"insert into {_named('new', table)} ({_quoted(column)}) select null"
    try:
        both.execute(f"explain {insert}")
    except duckdb.BinderException:
        return True
    return False


def _own_references(both: duckdb.DuckDBPyConnection, table: Table) -> list[Reference]:
    return both.execute(
        "select constraint_column_names, referenced_column_names from duckdb_constraints()"
        " where database_name = 'old' and constraint_type = 'FOREIGN KEY'"
        " and (schema_name, table_name) = (?, ?) and referenced_table = table_name",
        table,
    ).fetchall()


def _equal(one: str, names: Sequence[str], other: str, others: Sequence[str]) -> str:
    pairs = zip(names, others, strict=True)
    return " and ".join(f"{one}.{_quoted(a)} = {other}.{_quoted(b)}" for a, b in pairs)


def _named(database: str, table: Table) -> str:
    return f"{database}.{'.'.join(map(_quoted, table))}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
