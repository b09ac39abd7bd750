"""Lineage: what the models' columns are made of, read off the SQL that dbt compiles.

`poe generate` writes it anew.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from sqlglot import exp, parse_one
from sqlglot.lineage import lineage
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, build_scope

from support.documents.compiled import nodes_of, sources_of
from wholesale_elt.models.lineage import (
    FILE,
    ColumnLineage,
    DataTest,
    Lineage,
    ModelLineage,
    is_raw,
)
from wholesale_elt.models.mark import SCHEMA as SETTINGS
from wholesale_elt.models.raw_tables import PREFIX

DIALECT = "duckdb"
MAP = re.compile(r'(?<![\w".])map(?=\s+(?:between|end)\b)')
"""A column of that name, which DuckDB takes without quotes, and the parser for a type."""


def lineage_of_models() -> Lineage:
    nodes = nodes_of(DIALECT)
    sources = sources_of(DIALECT)
    models = {name: node for name, node in nodes.items() if node["resource_type"] == "model"}
    places = {name: _place(node["relation_name"]) for name, node in models.items()}
    places |= {name: _place(source["relation_name"]) for name, source in sources.items()}
    by_name = {
        f"{PREFIX if is_raw(place) else ''}{place.partition('.')[2]}": place
        for place in places.values()
    }
    queries = {name: _parsed(node["compiled_code"], by_name) for name, node in models.items()}
    schema = _schema(models, sources, queries.values())
    return Lineage(
        {
            places[name]: _model(node, queries[name], places, schema)
            for name, node in sorted(models.items(), key=lambda entry: places[entry[0]])
        },
        {
            node["name"]: _check(node, places)
            for _, node in sorted(nodes.items())
            if node["resource_type"] == "test"
        },
    )


def _place(relation: str) -> str:
    """`schema.table` of a relation that dbt names with its database, in quotes."""
    return relation.replace('"', "").partition(".")[2]


def _schema(
    models: Mapping[str, Any], sources: Mapping[str, Any], queries: Iterable[exp.Expr]
) -> dict[str, Any]:
    """The columns of all tables, in the nesting that the parser asks for."""
    columns = {
        _place(node["relation_name"]): {
            name: of["data_type"] or "text" for name, of in node["columns"].items()
        }
        for node in models.values()
    }
    columns |= {
        _place(source["relation_name"]): {
            name: of["data_type"] for name, of in source["columns"].items()
        }
        for source in sources.values()
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
        sorted(places[name] for name in node["depends_on"]["nodes"] if name in places),
        {
            name: ColumnLineage(
                column["data_type"] or "text", sorted(set(_inputs(name, query, scope)))
            )
            for name, column in node["columns"].items()
        },
    )


def _check(node: Any, places: Mapping[str, str]) -> DataTest:
    """A test; one that stands by itself is about the first of the tables that it reads."""
    if table := node.get("attached_node"):
        return DataTest(places[table], node["test_metadata"]["name"], node["column_name"])
    return DataTest(places[node["depends_on"]["nodes"][0]], node["name"], None)


def _parsed(sql: str, places: Mapping[str, str]) -> exp.Expr:
    """The query with the schemas of all tables that it reads; settings are no inputs."""
    query = parse_one(MAP.sub('"map"', sql), read=DIALECT)
    own = {entry.alias for entry in query.find_all(exp.CTE)}
    for relation in query.find_all(exp.Table):
        if not relation.db and relation.name not in own and relation.name in places:
            schema, _, table = places[relation.name].partition(".")
            relation.set("this", exp.to_identifier(table))
            relation.set("db", exp.to_identifier(schema))
    return query


def _raw_table(select: exp.Select) -> exp.Table | None:
    """The raw table that it reads, itself and not in a query within it."""
    table = select.args["from_"].this if select.args.get("from_") else None
    is_one = isinstance(table, exp.Table) and is_raw(f"{table.db}.{table.name}")
    return table if is_one else None


def _inputs(column: str, query: exp.Expr, scope: Scope | None) -> Iterator[str]:
    for node in lineage(column, query, dialect=DIALECT, scope=scope).walk():
        table = node.expression
        if not node.downstream and isinstance(table, exp.Table) and table.db != SETTINGS:
            of = node.name.rpartition(".")[2].replace('"', "")
            yield f"{table.db}.{table.name}.{of}"


def text() -> str:
    return msgspec.json.format(msgspec.json.encode(lineage_of_models()), indent=1).decode() + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
