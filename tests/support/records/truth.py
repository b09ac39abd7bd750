"""The records that a warehouse holds, put together again as the service sends them."""

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

Record = dict[str, Any]
Records = dict[str, Record]  # by id


class Child(NamedTuple):
    """The table that the entries of a field go to, and the columns of its key."""

    field: str
    table: str
    owner: str
    number: str


CHILDREN: Mapping[str, tuple[Child, ...]] = {
    "orders": (
        Child("order_line_items", "orders__order_line_items", "order_id", "line_number"),
        Child("order_comments", "orders__order_comments", "order_id", "comment_number"),
    ),
    "items": (Child("options", "items__options", "item_id", "option_number"),),
    "variants": (Child("options", "variants__options", "variant_id", "option_number"),),
}


@dataclass(frozen=True, slots=True)
class Holding:
    """One resource in a warehouse.

    `alive` are the records that are not marked as deleted; `faults` say which rows no record
    can be made of: ids that are there twice, entries without a record or out of sequence.
    """

    alive: Records
    faults: tuple[str, ...]
    _types: Mapping[str, Mapping[str, str]]
    _resource: str

    def as_held(self, record: Record) -> Record:
        """A record of the service, its values in the types of the columns, without nulls."""
        fields = {child.field: child for child in CHILDREN.get(self._resource, ())}
        types = self._types[self._resource]
        held = {
            name: _as_type(value, types.get(name, "no such column"))
            for name, value in record.items()
            if name not in fields and value is not None
        }
        for field, child in fields.items():
            types = self._types[child.table]
            held[field] = [
                {
                    name: _as_type(value, types.get(name, "no such column"))
                    for name, value in entry.items()
                    if value is not None
                }
                for entry in record[field]
            ]
        return held


def read_holding(connection: duckdb.DuckDBPyConnection, resource: str) -> Holding | None:
    """What the raw dataset holds of a resource; None when it has not all its tables yet."""
    children = CHILDREN.get(resource, ())
    types = {table: _types(connection, table) for table in (resource, *(c.table for c in children))}
    if not all(types.values()):
        return None
    faults: list[str] = []
    stored: Records = {}
    dead = set()
    for row in _rows(connection, resource, types[resource], "id"):
        if row["id"] in stored:
            faults.append(f"{resource}: {row['id']} is there twice")
        if row.pop("_deleted_at", None):
            dead.add(row["id"])
        stored[row["id"]] = row
    for child in children:
        entries: dict[str, list[Record]] = defaultdict(list)
        key = f"{child.owner}, {child.number}"
        for row in _rows(connection, child.table, types[child.table], key):
            owner, number = row.pop(child.owner), row.pop(child.number)
            entries[owner].append(row)
            if number != len(entries[owner]):
                faults.append(f"{child.table}: {owner} has {number} out of sequence")
        faults += [f"{child.table}: {owner} is no record" for owner in entries.keys() - stored]
        for record in stored.values():
            record[child.field] = entries.get(record["id"], [])
    alive = {key: record for key, record in stored.items() if key not in dead}
    return Holding(alive, tuple(faults), types, resource)


def read_truth(lines: str) -> Records:
    """The records of `GET /truth/{resource}` on the admin port, numbers exact."""
    records = [json.loads(line, parse_float=Decimal) for line in lines.splitlines()]
    return {record["id"]: record for record in records}


def read_only(database: Path) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(str(database), read_only=True)
    return connection.execute("set timezone = 'UTC'")


def _types(connection: duckdb.DuckDBPyConnection, table: str) -> dict[str, str]:
    rows = connection.execute(
        "select column_name, data_type from duckdb_columns()"
        " where schema_name = 'wholesale_raw' and table_name = ?",
        [table],
    )
    return dict(rows.fetchall())


def _rows(
    connection: duckdb.DuckDBPyConnection, table: str, types: Mapping[str, str], key: str
) -> list[Record]:
    """Rows in the order of their key, without nulls."""
    cursor = connection.execute(
        f"select * exclude (valid_from) from wholesale_raw.{table} order by {key}"
    )
    names = [column[0] for column in cursor.description]
    return [
        {
            name: json.loads(value, parse_float=Decimal) if types[name] == "JSON" else value
            for name, value in zip(names, row, strict=True)
            if value is not None
        }
        for row in cursor.fetchall()
    ]


def _as_type(value: Any, type: str) -> Any:
    if type.startswith("DECIMAL"):
        return Decimal(str(value))
    if type.startswith("TIMESTAMP"):
        return datetime.fromisoformat(value)
    return str(value) if type == "VARCHAR" else value
