"""File of a close: the tables of a version that figures and differences read, without names.

It stays as long as the book, so it holds nothing of which an erasure would have to take a part:
keys, amounts, states, days and settings, and no text that is made of what tells of a person or of a
company that buys.
"""

import stat
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import duckdb

from wholesale.api import CLASS_OF_FIELD, class_of
from wholesale_elt.causes import tables_read
from wholesale_elt.figures import Question, read_facts, read_metrics
from wholesale_elt.models import OWN_SCHEMA, is_raw, read_lineage
from wholesale_elt.past import record_table_of
from wholesale_elt.process import budget, sync_to_disk
from wholesale_elt.publish import attach_new
from wholesale_elt.warehouse import attach_file

VERSION, CLOSED = "version", "closed"
"""The names under which both files are attached."""
PLAIN = ("BIGINT", "BOOLEAN", "DATE", "DECIMAL", "DOUBLE", "HUGEINT", "INTEGER", "TIMESTAMP")
"""The beginnings of the types that hold no text."""
DESCRIBING = ("metrics", "settings", "versions")
"""The tables of `meta` that tell by what was counted."""
EXTRA, EXTRA_FIELDS = "_extra", "extra_fields"
"""Where fields are that the description of the service does not know."""
TABLES = (
    "select schema_name, table_name, estimated_size from duckdb_tables()"
    f" where database_name = '{VERSION}'"
    # Of a version whose facts stay in a lake, they are views.
    " union all select schema_name, view_name, 0 from duckdb_views()"
    f" where database_name = '{VERSION}' and schema_name like 'wholesale_%' order by all"
)
COLUMNS = (
    "select column_name, data_type from duckdb_columns()"
    f" where (database_name, schema_name, table_name) = ('{VERSION}', ?, ?) order by column_index"
)


def write_closed_file(database: Path, file: Path) -> None:
    """Write the new `file`, which nobody may write then, of the DuckDB file of a version."""
    wanted = _wanted()
    with budget.open_within(spill=file.parent) as connection:
        connection.execute("set timezone = 'UTC'")
        attach_file(connection, database, VERSION)
        found = [
            (schema, table, rows)
            for schema, table, rows in connection.execute(TABLES).fetchall()
            if table in wanted or (schema == "meta" and table in DESCRIBING)
        ]
        attach_new(connection, file, CLOSED, sum(rows for *_, rows in found))
        for schema in dict.fromkeys(schema for schema, *_ in found):
            connection.execute(f'create schema {CLOSED}."{schema}"')
        for schema, table, _ in found:
            columns = ", ".join(_columns(connection, schema, table))
            place = f'"{schema}"."{table}"'
            connection.execute(
                f"create table {CLOSED}.{place} as select {columns} from {VERSION}.{place}"
            )
        connection.execute(f"checkpoint {CLOSED}")
        connection.execute(f"detach {CLOSED}")
    file.chmod(file.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))
    sync_to_disk(file)


def _wanted() -> Collection[str]:
    """The tables that any difference of any metric reads, by whatever dimension."""
    facts = read_facts()
    questions = [
        Question(
            metrics=[metric.name],
            by=[name for name in facts[metric.model].dimensions if name != metric.name],
        )
        for metric in read_metrics().values()
    ]
    return {table for question in questions for table in tables_read(question)}


def _columns(connection: duckdb.DuckDBPyConnection, schema: str, table: str) -> Iterator[str]:
    """The columns, as they are or empty."""
    for name, type_ in connection.execute(COLUMNS, [schema, table]).fetchall():
        quoted = '"' + name.replace('"', '""') + '"'
        is_kept = schema == "meta" or type_.startswith(PLAIN) or _is_nameless(schema, table, name)
        yield quoted if is_kept and "[" not in type_ else f"cast(null as {type_}) as {quoted}"


def _is_nameless(schema: str, table: str, column: str) -> bool:
    """Whether a text is made of nothing that tells of a person or of a company that buys: by the
    SQL that made it. Of a column that this SQL does not have, nobody knows."""
    lineage = read_lineage()
    model = lineage.models.get(f"{schema}.{table}")
    if model is None or column not in model.columns:
        return False
    behind = lineage.behind(f"{schema}.{table}", column)
    return not any(_tells(place, is_own=schema == OWN_SCHEMA) for place in behind if is_raw(place))


def _tells(place: str, *, is_own: bool) -> bool:
    """Whether a column of a raw table may tell of somebody. What the description does not know is
    read by our models only to be told as that; what users' models make of it nobody knows."""
    _, name, column = place.split(".")
    table = record_table_of(name)
    if table == EXTRA_FIELDS or column == EXTRA:
        return True
    known: Mapping[str, object] = CLASS_OF_FIELD.get(table, {})
    if is_own and known:
        return class_of(table, column) is not None
    return known.get(column) is not None
