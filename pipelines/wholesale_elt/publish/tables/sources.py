"""Sources: the tables of the attached warehouse as they are published."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath

import duckdb

from wholesale_elt.warehouse import StoredTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A table of the warehouse as it is published: the names and types of its `columns`.

    `digest` is of the rows and columns, whatever their order: the sum of the rows' hashes, and how
    these are made. A table that stays in the lake is `stored` there, and its digest is of the
    snapshot.
    """

    schema: str
    table: str
    columns: tuple[tuple[str, str], ...]
    rows: int
    digest: str
    stored: StoredTable | None = None

    @property
    def parquet(self) -> PurePosixPath:
        """The path of its Parquet file in a version."""
        return PurePosixPath("parquet", self.schema, f"{self.table}.parquet")


def read_sources(
    connection: duckdb.DuckDBPyConnection,
    schemas: Collection[str],
    without: Collection[str],
    stored: Mapping[str, StoredTable],
) -> Sequence[Source]:
    """The published tables of these schemas of the attached warehouse.

    `without` are the columns that are left out, as `table.column`. Those that are `stored` in the
    warehouse for readers, by `schema.table`, are not read.
    """
    tables = [
        (
            schema,
            table,
            {name: type_ for name, type_ in columns if f"{table}.{name}" not in without},
        )
        for schema, table, columns in connection.execute(
            "select schema_name, table_name,"
            " list((column_name, data_type) order by column_index) from duckdb_columns()"
            " where database_name = 'warehouse' and list_contains(?, schema_name)"
            " group by all order by all",
            [list(schemas)],
        ).fetchall()
    ]
    # In one statement: for many small tables the overhead of a query exceeds the reading. Hashed
    # twice, as DuckDB's hash of a row includes the last column by XOR, unmixed.
    digests = connection.execute(
        " union all ".join(
            f"select {number} as number, count(*), sum(hash(hash({_listed(columns)})))"
            f' from warehouse.{schema}."{table}"'
            for number, (schema, table, columns) in enumerate(tables)
            if f"{schema}.{table}" not in stored
        )
        + " order by number"
    ).fetchall()
    found = {number: (rows, int(total or 0)) for number, rows, total in digests}
    sources = []
    for number, (schema, table, columns) in enumerate(tables):
        made = sha256(json.dumps([duckdb.__version__, columns]).encode()).hexdigest()
        there = stored.get(f"{schema}.{table}")
        rows, total = (there.rows, there.snapshot) if there else found[number]
        sources.append(
            Source(
                schema=schema,
                table=table,
                columns=tuple(columns.items()),
                rows=rows,
                digest=f"{total:x}-{made}",
                stored=there,
            )
        )
    return sorted(sources, key=lambda source: (source.schema, source.table))


def _listed(columns: Collection[str]) -> str:
    return ", ".join(f'"{name}"' for name in columns)
