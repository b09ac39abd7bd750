"""Sources: what is published of each table of the warehouse, and the hashes of its rows."""

import json
import os
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

import duckdb

HASHES = "row_hashes"
"""A temporary table of the hash of each row that is to be published: to make them is most of what
it takes to compare, so they are made once."""
FORMS = 2
"""Files of DuckDB and of Parquet are written at the same time."""
DAYS = ("ordered_date", "month_start", "date_day")
"""Columns by whose quarter the rows of a table are told apart: the first that it has."""


class PartDigest(NamedTuple):
    """Rows of a table that belong together: how many there are, and the sum of their hashes."""

    number: int
    rows: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What is published of a table of the warehouse, which stands there at `place`: by its name
    where it is published, the types of its columns, and the hashes of its rows, a table of SQL.

    `part` is the SQL of the number of a row's part, and `made` tells how the hashes are made.
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
    """What is published of the tables of these schemas of the attached warehouse.

    `without` are the columns that are left out, as `table.column`.
    """
    tables = [
        (schema, table, {name: types[name] for name in types if f"{table}.{name}" not in without})
        for (schema, table), types in columns_of(connection, "warehouse", schemas).items()
    ]
    connection.execute(f"set threads = {max(1, (os.cpu_count() or 1) // FORMS)}")
    # In one statement, as of the many small tables each would take longer to ask than to read.
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
    """The outer hash, as the inner one takes the last column in by XOR, unmixed."""
    chosen = ", ".join(f'"{name}"' for name in columns)
    return f"hash(hash({chosen}))"


def _part(types: Mapping[str, str]) -> str:
    """The number of the quarter that a row belongs to; 0 where it has no day, or its table none."""
    for day in DAYS:
        if types.get(day) == "DATE":
            return f"coalesce(4 * year({day}) + quarter({day}), 0)::integer"
    return "0"
