"""Ossie: the tables, how they refer to each other, and the metrics, by its core specification.

That is 0.2.0 of Apache Ossie, once Open Semantic Interchange (github.com/apache/ossie). Its
document is YAML, of which JSON is a subset. What a join must compute is left to who reads it.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from wholesale_elt.figures import Metric
from wholesale_elt.models import PUBLIC, DeclaredTable, read_contract
from wholesale_formats.stars import DATABASE, Published
from wholesale_formats.writing import Files

VERSION = "0.2.0.dev0"
TYPES = {
    "BIGINT": "Integer",
    "BOOLEAN": "Boolean",
    "DATE": "Date",
    "DECIMAL": "Decimal",
    "DOUBLE": "Float",
    "INTEGER": "Integer",
    "TIMESTAMP WITH TIME ZONE": "DateTimeTz",
    "VARCHAR": "String",
}
OF_UNIT = {"amount": "Decimal", "count": "Integer", "share": "Decimal", "number": "Decimal"}


def files(published: Published) -> Files:
    facts = [_declared(star.table) for star in published.stars]
    relationships = [found for fact in facts for found in _relationships(fact, published)]
    parents = (_declared(found["to"]) for found in relationships)
    tables = {table.name: table for table in (*facts, *parents)}
    model = {
        "name": "wholesale",
        "description": "Orders of a wholesale business, and what is counted of them.",
        "datasets": [_dataset(table, published) for table in tables.values()],
        "relationships": relationships,
        "metrics": [
            _metric(metric, published) for star in published.stars for metric in star.metrics
        ],
    }
    document = {"version": VERSION, "semantic_model": [model]}
    text = msgspec.json.format(msgspec.json.encode(document), indent=1).decode()
    return {"wholesale.ossie.json": f"{text}\n"}


def _declared(table: str) -> DeclaredTable:
    return read_contract(*PUBLIC)[table]


def _dataset(table: DeclaredTable, published: Published) -> dict[str, Any]:
    fields = [
        {
            "name": name,
            "expression": _expression(name),
            "description": column.description,
            "datatype": TYPES.get(published.columns[table.name, name].partition("(")[0], "Opaque"),
        }
        for name, column in table.columns.items()
        if (table.name, name) in published.columns
    ]
    return {
        "name": table.name,
        "source": f"{DATABASE}.{table.schema}.{table.name}",
        "primary_key": list(table.key),
        "description": table.description,
        "fields": fields,
    }


def _relationships(table: DeclaredTable, published: Published) -> Iterator[dict[str, Any]]:
    """To published tables: each row of the first finds one of the second at most."""
    for name, column in table.columns.items():
        parent, key = column.parent or ("", "")
        if {(table.name, name), (parent, key)} <= published.columns.keys():
            yield {
                "name": f"{table.name}_{name}",
                "from": table.name,
                "to": parent,
                "from_columns": [name],
                "to_columns": [key],
            }


def _metric(metric: Metric, published: Published) -> dict[str, Any]:
    columns = "|".join(column for table, column in published.columns if table == metric.model)
    qualified = re.sub(rf"\b({columns})\b", rf"{metric.model}.\1", metric.expression)
    return {
        "name": metric.name,
        "expression": _expression(qualified),
        "description": metric.meaning,
        "datatype": OF_UNIT[metric.unit],
        "ai_context": {"synonyms": [metric.label, *metric.words]},
    }


def _expression(sql: str) -> dict[str, Any]:
    return {"dialects": [{"dialect": "ANSI_SQL", "expression": sql}]}
