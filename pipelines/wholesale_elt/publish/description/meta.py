"""Meta: tables that tell of the tables of a published DuckDB file, for who asks it in SQL."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import duckdb

from wholesale_elt.figures import read_metrics
from wholesale_elt.models import PUBLIC, DeclaredColumn, read_contract
from wholesale_elt.publish.description.digests import digest_of_table
from wholesale_elt.publish.manifest import Build
from wholesale_elt.warehouse import OF_FILES

META = "meta"
SETTINGS = "dim_settings"
HEADLINES = "rpt_headlines"
DAYS: Mapping[str, str] = {
    "figures_from": "figures_from",
    "figures_up_to": "figures_up_to",
    "orders_up_to": "synced_at",
}
"""The columns of `meta.versions` that are of the headlines, and what they are called there."""
Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class DescribedColumn:
    """A column of the file; `parent` is the table and column that it refers to."""

    type: str
    description: str
    unit: str | None = None
    parent: tuple[str, str] | None = None

    @classmethod
    def of(cls, declared: DeclaredColumn | None, type_: str) -> Self:
        if declared is None:
            return cls(type_, "")
        return cls(type_, declared.description, declared.unit, declared.parent)


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedTable:
    """A table of the file, with its `rows`; or a view of the table `base`, with its `query`. The
    rows of a table may be in the `files` of a lake, of which the file has a view."""

    schema: str
    name: str
    base: str
    columns: Mapping[str, DescribedColumn]
    description: str
    about: str = META
    key: Sequence[str] = ()
    rows: int | None = None
    query: str | None = None
    files: Sequence[str] = ()

    @property
    def kind(self) -> str:
        return "view" if self.query or self.files else "table"

    @property
    def place(self) -> str:
        return f'{self.schema}."{self.name}"'

    def as_view(self, schema: str, name: str, query: str, description: str) -> Self:
        """A view with the columns of this table."""
        changed = replace(self, schema=schema, name=name, query=query, description=description)
        return replace(changed, rows=None, files=())

    def referring(self, names: Mapping[str, str]) -> Self:
        """Referring to these names of tables instead."""
        columns = {
            name: replace(
                column, parent=(names.get(column.parent[0], column.parent[0]), column.parent[1])
            )
            if column.parent
            else column
            for name, column in self.columns.items()
        }
        return replace(self, columns=columns)

    def typed(self, types: Mapping[str, str]) -> Self:
        """With other types of some columns."""
        columns = {
            name: replace(column, type=types.get(name, column.type))
            for name, column in self.columns.items()
        }
        return replace(self, columns=columns)


TABLES = [
    DescribedTable(
        schema=META,
        name="tables",
        base="tables",
        description="Which tables and views are there? One row each.",
        key=("schema_name", "table_name"),
        columns={
            "schema_name": DescribedColumn("VARCHAR", "The schema."),
            "table_name": DescribedColumn("VARCHAR", "The name of the table or view."),
            "kind": DescribedColumn("VARCHAR", "`table` or `view`."),
            "about": DescribedColumn(
                "VARCHAR",
                "`business`, `health` of what was loaded and built, or `meta`: this file itself.",
            ),
            "row_count": DescribedColumn("BIGINT", "The number of rows; NULL for a view.", "count"),
            "key_columns": DescribedColumn(
                "VARCHAR[]", "The columns of which no two rows have the same values."
            ),
            "description": DescribedColumn("VARCHAR", "What it tells, and what one row is."),
        },
    ),
    DescribedTable(
        schema=META,
        name="columns",
        base="columns",
        description="What does each column mean? One row per column of a table or view.",
        key=("schema_name", "table_name", "column_name"),
        columns={
            "schema_name": DescribedColumn("VARCHAR", "The schema."),
            "table_name": DescribedColumn("VARCHAR", "The name of the table or view."),
            "column_name": DescribedColumn("VARCHAR", "The name of the column."),
            "column_number": DescribedColumn("BIGINT", "Its place in the table, from 1."),
            "data_type": DescribedColumn("VARCHAR", "Its type in this file."),
            "unit": DescribedColumn("VARCHAR", "What a figure is counted in; else NULL."),
            "is_key": DescribedColumn("BOOLEAN", "Whether it is part of the key."),
            "description": DescribedColumn("VARCHAR", "What it means."),
        },
    ),
    DescribedTable(
        schema=META,
        name="relationships",
        base="relationships",
        description=(
            "Which column refers to which? One row per column that holds the key of another table."
            " Some rows may refer to what is in no list of the service."
        ),
        key=("schema_name", "table_name", "column_name"),
        columns={
            "schema_name": DescribedColumn("VARCHAR", "The schema of the table that refers."),
            "table_name": DescribedColumn("VARCHAR", "The table or view that refers."),
            "column_name": DescribedColumn("VARCHAR", "The column that refers."),
            "parent_schema_name": DescribedColumn("VARCHAR", "The schema of the other table."),
            "parent_table_name": DescribedColumn("VARCHAR", "The table or view referred to."),
            "parent_column_name": DescribedColumn("VARCHAR", "Its key."),
        },
    ),
    DescribedTable(
        schema=META,
        name="metrics",
        base="metrics",
        description=(
            "How is each figure defined? One row per metric: `select <expression> from"
            " <table_name>` has its value, of the rows that a condition or a group leaves."
        ),
        key=("metric_name",),
        columns={
            "metric_name": DescribedColumn("VARCHAR", "The name of the metric."),
            "label": DescribedColumn("VARCHAR", "What people call it."),
            "kind": DescribedColumn("VARCHAR", "`additive`, `distinct`, or `ratio` of two others."),
            "table_name": DescribedColumn("VARCHAR", "The table whose rows it is of."),
            "expression": DescribedColumn("VARCHAR", "The SQL that computes it."),
            "description": DescribedColumn("VARCHAR", "What it means."),
        },
    ),
    DescribedTable(
        schema=META,
        name="settings",
        base="settings",
        description="Which settings were the tables built with? One row per setting.",
        key=("setting_name",),
        columns={
            "setting_name": DescribedColumn("VARCHAR", "The name of the setting."),
            "setting_value": DescribedColumn("VARCHAR", "Its value as text."),
            "description": DescribedColumn("VARCHAR", "What it means."),
        },
    ),
    DescribedTable(
        schema=META,
        name="versions",
        base="versions",
        description="Which version is this, and how far can it be trusted? One row.",
        columns={
            "run_id": DescribedColumn("VARCHAR", "The last sync."),
            "verdict": DescribedColumn("VARCHAR", "`complete` if every list was proved complete."),
            "reasons": DescribedColumn("VARCHAR[]", "Why not, one for each list that was not."),
            "as_of": DescribedColumn(
                "TIMESTAMP WITH TIME ZONE", "As of when all of it was proved complete (UTC)."
            ),
            "built_at": DescribedColumn(
                "TIMESTAMP WITH TIME ZONE", "When the tables were built (UTC)."
            ),
            "figures_from": DescribedColumn(
                "DATE", "The day of the first sale; days before it are not known."
            ),
            "figures_up_to": DescribedColumn(
                "DATE", "The last day that was over when orders were read."
            ),
            "orders_up_to": DescribedColumn(
                "TIMESTAMP WITH TIME ZONE",
                "To when the orders were read (UTC): tables, and all time, reach to this moment.",
            ),
            "currency": DescribedColumn("VARCHAR", "Of all amounts, ISO 4217; XXX if not set."),
            "time_zone": DescribedColumn("VARCHAR", "Whose midnight begins a day."),
            "software": DescribedColumn("VARCHAR", "The release that published this file."),
            "part": DescribedColumn(
                "VARCHAR", "What all of it is of, such as `vendor=ID`; NULL: the whole account."
            ),
        },
    ),
    DescribedTable(
        schema=META,
        name="digests",
        base="digests",
        description=(
            "What has each table in one line of text, so that `wholesale verify` finds what was"
            " changed in a copy? One row per other table of this file, of the columns that are in"
            " it; and per resource, of all that the warehouse has of it, in `wholesale_raw`."
        ),
        key=("schema_name", "table_name"),
        columns={
            "schema_name": DescribedColumn("VARCHAR", "The schema."),
            "table_name": DescribedColumn("VARCHAR", "The table, or the resource."),
            "digest": DescribedColumn("VARCHAR", "Sums of hashes of the rows, in 64 buckets."),
        },
    ),
]

FILES = DescribedTable(
    schema=META,
    name=OF_FILES.partition(".")[2],
    base=OF_FILES.partition(".")[2],
    description=(
        "Which files of a lake have the rows of tables that are views here? One row per file; where"
        " all tables are in this file, there is no such table."
    ),
    key=("schema_name", "table_name", "path"),
    columns={
        "schema_name": DescribedColumn("VARCHAR", "The schema."),
        "table_name": DescribedColumn("VARCHAR", "The view that reads it."),
        "path": DescribedColumn("VARCHAR", "Its whole path on the machine that published."),
    },
)


def write_meta(
    connection: duckdb.DuckDBPyConnection,
    described: Sequence[DescribedTable],
    build: Build,
    software: str,
    digests: Mapping[str, str],
) -> Mapping[str, str]:
    """Write the tables of `meta` on these and on themselves into the database in use.

    Returned are all its digests, by `schema.table`; those given are known, others are made.
    """
    of_meta = [FILES, *TABLES] if any(table.files for table in described) else TABLES
    everything = [*described, *of_meta]
    rows: Mapping[str, Iterable[Row]] = {
        "tables": map(_table, everything),
        "columns": (row for table in everything for row in _columns(table)),
        "relationships": _relationships(described),
        "metrics": _metrics(described),
        "settings": _settings(connection),
        "versions": [_version(connection, described, build, software)],
        FILES.name: (row for table in described for row in _files(table)),
    }
    *tables, of_all = of_meta
    for table in tables:
        _replace(connection, table, json.dumps(list(rows[table.name])))
    made = {**digests}
    for table in (*described, *tables):
        name = f"{table.schema}.{table.name}"
        if not table.query and name not in made:
            made[name] = digest_of_table(connection, table.schema, table.name, table.key).text
    _replace(connection, of_all, json.dumps(list(map(_digest, made.items()))))
    return made


def _replace(connection: duckdb.DuckDBPyConnection, table: DescribedTable, rows: str) -> None:
    """Write these rows, unless the table has them: in a copy of a file, what is replaced leaves its
    space. An earlier release may have written it with other columns."""
    types = {name: column.type for name, column in table.columns.items()}
    declared = ", ".join(f"{name} {type_}" for name, type_ in types.items())
    connection.execute(f"create table if not exists {table.place} ({declared})")
    told = (
        f"select {', '.join(types)} from"
        f" (select unnest(from_json(?, '{json.dumps([types])}'), max_depth := 2))"
    )
    held = [name for name, *_ in connection.execute(f"describe {table.place}").fetchall()]
    differing = 1
    if held == list(types):
        ((differing,),) = connection.execute(
            f"select count(*) from ((from {table.place} except all {told})"
            f" union all ({told} except all from {table.place}))",
            [rows, rows],
        ).fetchall()
    if differing:
        connection.execute(f"create or replace table {table.place} as {told}", [rows])


def _files(table: DescribedTable) -> Iterator[Row]:
    for path in table.files:
        yield {"schema_name": table.schema, "table_name": table.name, "path": path}


def _digest(told: tuple[str, str]) -> Row:
    schema, table = told[0].split(".")
    return {"schema_name": schema, "table_name": table, "digest": told[1]}


def _table(table: DescribedTable) -> Row:
    return {
        "schema_name": table.schema,
        "table_name": table.name,
        "kind": table.kind,
        "about": table.about,
        "row_count": table.rows,
        "key_columns": list(table.key),
        "description": table.description,
    }


def _columns(table: DescribedTable) -> Iterator[Row]:
    for number, (name, column) in enumerate(table.columns.items(), 1):
        yield {
            "schema_name": table.schema,
            "table_name": table.name,
            "column_name": name,
            "column_number": number,
            "data_type": column.type,
            "unit": column.unit,
            "is_key": name in table.key,
            "description": column.description,
        }


def _relationships(described: Sequence[DescribedTable]) -> Iterator[Row]:
    """To the table or view in the same schema, if there is one of that name."""
    places = {table.name: table.schema for table in reversed(described)}
    here = {(table.schema, table.name) for table in described}
    for table in described:
        for name, column in table.columns.items():
            if column.parent and column.parent[0] in places:
                parent, key = column.parent
                is_here = (table.schema, parent) in here
                yield {
                    "schema_name": table.schema,
                    "table_name": table.name,
                    "column_name": name,
                    "parent_schema_name": table.schema if is_here else places[parent],
                    "parent_table_name": parent,
                    "parent_column_name": key,
                }


def _metrics(described: Sequence[DescribedTable]) -> Iterator[Row]:
    places = {table.name: f"{table.schema}.{table.name}" for table in described if not table.query}
    for metric in read_metrics().values():
        if metric.model in places:
            yield {
                "metric_name": metric.name,
                "label": metric.label,
                "kind": metric.kind,
                "table_name": places[metric.model],
                "expression": metric.expression,
                "description": metric.meaning,
            }


def _settings(connection: duckdb.DuckDBPyConnection) -> Iterator[Row]:
    declared = read_contract(*PUBLIC)[SETTINGS].columns
    found = connection.execute(
        "select schema_name, column_name from duckdb_columns()"
        " where database_name = 'warehouse' and table_name = ? order by column_index",
        [SETTINGS],
    ).fetchall()
    for schema, name in found:
        source = f"warehouse.{schema}.{SETTINGS}"
        ((value,),) = connection.execute(f'select cast("{name}" as text) from {source}').fetchall()
        about = declared[name].description if name in declared else ""
        yield {"setting_name": name, "setting_value": value, "description": about}


def _version(
    connection: duckdb.DuckDBPyConnection,
    described: Sequence[DescribedTable],
    build: Build,
    software: str,
) -> Row:
    days: Row = dict.fromkeys(DAYS)
    for table in described:
        if (table.name, table.query) == (HEADLINES, None):
            told = ", ".join(
                f"cast({column if column in table.columns else 'null'} as text)"
                for column in DAYS.values()
            )
            (found,) = connection.execute(f"select {told} from {table.place}").fetchall()
            days = dict(zip(DAYS, found, strict=True))
    return {
        "run_id": build.run_id,
        "verdict": build.verdict,
        "reasons": list(build.reasons),
        "as_of": build.as_of,
        "built_at": build.built_at,
        **days,
        "currency": build.currency,
        "time_zone": build.time_zone,
        "software": software,
        "part": build.only,
    }
