"""Sources: the published columns of each table of the warehouse, and the hashes of its rows."""

import json
import os
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

import duckdb

HASHES = "row_hashes"
"""A temporary table with the hash of each row to be published. Hashing takes most of the time of a
comparison, so it is done once."""
FORMS = 2
"""Formats written at the same time: DuckDB and Parquet."""
DAYS = ("ordered_date", "month_start", "date_day")
"""Columns by whose quarter the rows of a table are divided into parts: the first that it has."""


class PartDigest(NamedTuple):
    """A part of a table: its number, how many rows it has, and the sum of their hashes."""

    number: int
    rows: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A table of the warehouse (`place`) as it is published: schema, name and types there, and the
    SQL table with the hashes of its rows.

    `part` is SQL for the number of a row's part; `made` identifies how the hashes are made.
    """

    schema: str
    table: str
    types: Mapping[str, str] = field(hash=False)
    place: str
    hashes: str
    part: str
    parts: Sequence[PartDigest]
    made: str

    @property
    def rows(self) -> int:
        return sum(part.rows for part in self.parts)

    @property
    def total(self) -> int:
        return sum(part.total for part in self.parts)

    @property
    def query(self) -> str:
        chosen = ", ".join(f'"{name}"' for name in self.types)
        return f"select {chosen} from {self.place}"

    @property
    def digest(self) -> str:
        return f"{self.total:x}-{self.made}"


def read_sources(
    connection: duckdb.DuckDBPyConnection, schemas: Mapping[str, str], without: Collection[str]
) -> Sequence[Source]:
    """The published tables of these schemas of the attached warehouse.

    `without` are the columns that are left out, as `table.column`.
    """
    tables = [
        (schema, table, {name: types[name] for name in types if f"{table}.{name}" not in without})
        for (schema, table), types in columns_of(connection, "warehouse", schemas).items()
    ]
    connection.execute(f"set threads = {max(1, (os.cpu_count() or 1) // FORMS)}")
    # In one statement: for many small tables the overhead of a query exceeds the reading.
    connection.execute(
        f"create temp table {HASHES} as "
        + " union all ".join(
            f"select {number}::usmallint as number, rowid as row_id,"
            f" {row_hash(columns)} as row_hash, {_part(columns)} as part"
            f' from warehouse.{schema}."{table}"'
            for number, (schema, table, columns) in enumerate(tables)
        )
    )
    parts: dict[int, list[PartDigest]] = defaultdict(list)
    for number, *part in connection.execute(
        f"select number, part, count(*), sum(row_hash) from {HASHES} group by all order by all"
    ).fetchall():
        parts[number].append(PartDigest(*part))
    sources = []
    for number, (schema, table, columns) in enumerate(tables):
        made = sha256(json.dumps([duckdb.__version__, columns]).encode()).hexdigest()
        sources.append(
            Source(
                schema=schemas[schema],
                table=table,
                types=columns,
                place=f'warehouse.{schema}."{table}"',
                hashes=f"(select row_id, row_hash, part from {HASHES} where number = {number})",
                part=_part(columns),
                parts=tuple(parts[number]),
                made=made,
            )
        )
    return sorted(sources, key=lambda source: (source.schema, source.table))


def columns_of(
    connection: duckdb.DuckDBPyConnection, database: str, schemas: Collection[str]
) -> Mapping[tuple[str, str], Mapping[str, str]]:
    """The types of the columns of each table, by its schema and name."""
    found = connection.execute(
        "select schema_name, table_name, list(column_name order by column_index),"
        " list(data_type order by column_index) from duckdb_columns()"
        " where database_name = ? and list_contains(?, schema_name)"
        " group by all order by all",
        [database, list(schemas)],
    ).fetchall()
    return {
        (schema, table): dict(zip(names, types, strict=True))
        for schema, table, names, types in found
    }


def row_hash(columns: Collection[str]) -> str:
    """Hashed twice, as DuckDB's hash of a row includes the last column by XOR, unmixed."""
    chosen = ", ".join(f'"{name}"' for name in columns)
    return f"hash(hash({chosen}))"


def _part(types: Mapping[str, str]) -> str:
    """The number of a row's quarter; 0 if the row or its table has no day."""
    for day in DAYS:
        if types.get(day) == "DATE":
            return f"coalesce(4 * year({day}) + quarter({day}), 0)::integer"
    return "0"
