"""Months: how the tables of a lake are partitioned, and a digest of each part.

Orders with their children, logs, and tables of the past, are partitioned by month; other tables are
one part. Only a
part whose digest differs from the version in force is written again.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import duckdb
import pyarrow as pa

from wholesale.names import VALID_TO
from wholesale_elt.past import is_past
from wholesale_elt.warehouse import RAW_DATASET
from wholesale_lake.iceberg import Part

MONTH_OF = {"orders": "created_at", "sync_runs": "started_at"}
"""The times by which tables are partitioned; a child is partitioned like its parent."""
OBSERVATIONS, OBSERVED_AT = "__observations", "observed_at"
PARENT, PARENT_KEY = "orders", "order_id"
PARENT_ID, OF_PARENT = "_order_id", "_order_created_at"
"""The second is a column that children of orders have only in the lake."""
JSON = "JSON"
"""The comment in the lake on text columns that are JSON."""


@dataclass(frozen=True, slots=True)
class Cut:
    """How a table is written: its columns in the lake, SQL for its rows, and each row's month."""

    columns: pa.Schema
    rows: str
    month_of: str | None

    @property
    def part(self) -> str:
        """The month in SQL, counted from January 1970 in UTC."""
        if self.month_of is None:
            return "null::bigint"
        # For a timestamptz DuckDB would use a calendar, which takes a hundred times as long.
        moment = f'make_timestamp(epoch_us("{self.month_of}"))'
        return f"datediff('month', timestamp '1970-01-01', {moment})"


def cuts_of(connection: duckdb.DuckDBPyConnection) -> Mapping[str, Cut]:
    """The cut of each table: children before their parents, and certificates last."""
    found = connection.execute(
        "select table_name from duckdb_tables() where schema_name = ?"
        " order by table_name = 'sync_runs', table_name = 'orders', table_name",
        [RAW_DATASET],
    ).fetchall()
    return {table: _cut(connection, table) for (table,) in found}


def digests_of(connection: duckdb.DuckDBPyConnection, cuts: Mapping[str, Cut]) -> Mapping[str, str]:
    """A digest of the rows of each part, whatever their order, by a key of its table and month."""
    return {
        _key(table, part): digest
        for table, cut in cuts.items()
        for part, digest in _digests(connection, cut).items()
    }


def table_of(key: str) -> str:
    """The table of a part, by the key of its digest."""
    return key.partition(" ")[0]


def part_of(key: str) -> Part:
    """The month of a part, by the key of its digest; None of a table that is one part."""
    part = key.partition(" ")[2]
    return int(part) if part else None


def _cut(connection: duckdb.DuckDBPyConnection, table: str) -> Cut:
    found = connection.execute(
        "select column_name, data_type from duckdb_columns()"
        " where schema_name = ? and table_name = ? order by column_index",
        [RAW_DATASET, table],
    ).fetchall()
    columns = [name for name, _ in found]
    chosen = [
        f'"{name}"::varchar as "{name}"' if kind == JSON else f'"{name}"' for name, kind in found
    ]
    source, month_of = f'{RAW_DATASET}."{table}"', MONTH_OF.get(table)
    if table.endswith(OBSERVATIONS):
        month_of = OBSERVED_AT
    elif is_past(table):
        month_of = VALID_TO  # so that rows of the past are added to the last month alone
    elif PARENT_KEY in columns and table.startswith(f"{PARENT}__"):
        source += (
            f" left join (select id as {PARENT_ID}, any_value({MONTH_OF[PARENT]}) as {OF_PARENT}"
            f" from {RAW_DATASET}.{PARENT} group by id) on {PARENT_ID} = {PARENT_KEY}"
        )
        chosen.append(OF_PARENT)
        month_of = OF_PARENT
    rows = f"select {', '.join(chosen)} from {source}"
    schema = connection.sql(rows).limit(0).to_arrow_table().schema
    documented = {name for name, kind in found if kind == JSON}
    return Cut(
        pa.schema(
            [
                field.with_metadata({"doc": JSON}) if field.name in documented else field
                for field in schema
            ]
        ),
        rows,
        month_of if month_of in schema.names else None,
    )


def _digests(connection: duckdb.DuckDBPyConnection, cut: Cut) -> Mapping[Part, str]:
    """By month, whatever the order of the rows."""
    columns = ", ".join(f'"{name}"' for name in cut.columns.names)
    # Hashed twice, as DuckDB's hash of a row includes the last column by XOR, unmixed.
    found = connection.execute(
        f"select {cut.part} as part, count(*), sum(hash(hash({columns}))) from ({cut.rows})"
        " group by part"
    ).fetchall()
    shape = str([(field.name, str(field.type)) for field in cut.columns])
    ((mark,),) = connection.execute("select hash(?)", [shape]).fetchall()
    filled = {part: f"{count} {digest} {mark}" for part, count, digest in found}
    return filled or {None: f"0 {mark}"}


def _key(table: str, part: Part) -> str:
    return table if part is None else f"{table} {part}"
