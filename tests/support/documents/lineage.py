"""Lineage: what the models' columns are made of, read off the SQL that dbt compiles.

`poe generate` writes it anew.
"""

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import yaml
from sqlglot import exp, parse_one
from sqlglot.lineage import lineage
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, build_scope

from wholesale_elt.models.lineage import (
    FILE,
    ColumnLineage,
    DataTest,
    Lineage,
    ModelLineage,
    is_raw,
)
from wholesale_elt.models.project import project_folder, run_dbt, sql_version
from wholesale_elt.warehouse import RAW_DATASET, Warehouse

DIALECT = "duckdb"
MAP = re.compile(r'(?<![\w".])map(?=\s+(?:between|end)\b)')
"""A column of that name, which DuckDB takes without quotes, and the parser for a type."""


def lineage_of_models() -> Lineage:
    """The project compiled on a warehouse that has all raw tables, and no row."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "empty.duckdb"
        _make_raw_tables(database)
        done = run_dbt(Warehouse(database), "compile", variables={"audit_suffix": ""})
        nodes = {result.node.unique_id: result.node for result in done.results}
        manifest = msgspec.json.decode((done.target / "manifest.json").read_bytes())
    models = {name: node for name, node in nodes.items() if node.resource_type == "model"}
    places = {name: _place(node.relation_name) for name, node in models.items()}
    places |= {
        name: _place(source["relation_name"]) for name, source in manifest["sources"].items()
    }
    queries = {name: _parsed(node.compiled_code) for name, node in models.items()}
    schema = _schema(models, manifest, queries.values())
    return Lineage(
        sql_version(),
        {
            places[name]: _model(node, queries[name], places, schema)
            for name, node in sorted(models.items(), key=lambda entry: places[entry[0]])
        },
        {
            node.name: _check(node, places)
            for _, node in sorted(nodes.items())
            if node.resource_type == "test"
        },
    )


def _make_raw_tables(database: Path) -> None:
    path = project_folder() / "models/staging/sources.yml"
    [source] = yaml.safe_load(path.read_text("utf-8"))["sources"]
    with duckdb.connect(str(database)) as connection:
        connection.execute(f"create schema {RAW_DATASET}")
        for table in source["tables"]:
            columns = ", ".join(f'"{c["name"]}" {c["data_type"]}' for c in table["columns"])
            connection.execute(f'create table {RAW_DATASET}."{table["name"]}" ({columns})')


def _place(relation: str) -> str:
    """`schema.table` of a relation that dbt names with its database, in quotes."""
    return relation.replace('"', "").partition(".")[2]


def _schema(
    models: Mapping[str, Any], manifest: Any, queries: Iterable[exp.Expr]
) -> dict[str, Any]:
    """The columns of all tables, in the nesting that the parser asks for."""
    columns = {
        _place(node.relation_name): {
            name: of.data_type or "text" for name, of in node.columns.items()
        }
        for node in models.values()
    }
    columns |= {
        _place(source["relation_name"]): {
            name: of["data_type"] for name, of in source["columns"].items()
        }
        for source in manifest["sources"].values()
    }
    for query in queries:
        for select in query.find_all(exp.Select):
            if table := _raw_table(select):
                of = columns[f"{table.db}.{table.name}"]
                of.update({name: of.get(name, "text") for name in select.named_selects})
    found: dict[str, Any] = {}
    for place, of in columns.items():
        schema, _, name = place.partition(".")
        found.setdefault(schema, {})[name] = of
    return found


def _model(
    node: Any, parsed: exp.Expr, places: Mapping[str, str], schema: dict[str, Any]
) -> ModelLineage:
    query = qualify(parsed, schema=schema, dialect=DIALECT, validate_qualify_columns=False)
    scope = build_scope(query)
    return ModelLineage(
        sorted(places[name] for name in node.depends_on.nodes if name in places),
        {
            column.name: ColumnLineage(
                column.data_type or "text", sorted(set(_inputs(column.name, query, scope)))
            )
            for column in node.columns.values()
        },
    )


def _check(node: Any, places: Mapping[str, str]) -> DataTest:
    """A test; one that stands by itself is about the first of the tables that it reads."""
    if table := getattr(node, "attached_node", None):
        return DataTest(places[table], node.test_metadata.name, node.column_name)
    return DataTest(places[node.depends_on.nodes[0]], node.name, None)


def _parsed(sql: str) -> exp.Expr:
    """The query; it reads a raw table itself, without the columns that the table may lack."""
    query = parse_one(MAP.sub('"map"', sql), read=DIALECT)
    for relation in query.find_all(exp.Table):
        relation.set("catalog", None)
    for subquery in list(query.find_all(exp.Subquery)):
        union = subquery.this
        if union.args.get("by_name") and (table := _raw_table(union.this)):
            subquery.replace(table)
    return query


def _raw_table(select: exp.Select) -> exp.Table | None:
    """The raw table that it reads, itself and not in a query within it."""
    table = select.args["from_"].this if select.args.get("from_") else None
    is_one = isinstance(table, exp.Table) and is_raw(f"{table.db}.{table.name}")
    return table if is_one else None


def _inputs(column: str, query: exp.Expr, scope: Scope | None) -> Iterator[str]:
    for node in lineage(column, query, dialect=DIALECT, scope=scope).walk():
        if not node.downstream and isinstance(node.expression, exp.Table):
            of = node.name.rpartition(".")[2].replace('"', "")
            yield f"{node.expression.db}.{node.expression.name}.{of}"


def text() -> str:
    return msgspec.json.format(msgspec.json.encode(lineage_of_models()), indent=1).decode() + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
