"""Lineage: what each column of a model is made of, down to the raw tables; derived from the SQL.

A column's inputs are the columns whose values, or choices by their values, end up in it. Columns
that are only used to join, filter or group are not inputs.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec

from wholesale_elt.warehouse import RAW_DATASET

FILE = Path(__file__).with_suffix(".json")
"""Made by `poe generate`: edit the models in sql/, not this file."""


class ColumnLineage(msgspec.Struct, frozen=True):
    """A column: its type by the contract of its model, and its inputs as `schema.table.column`."""

    type: str
    inputs: Sequence[str]


class ModelLineage(msgspec.Struct, frozen=True):
    """A model: the tables that it reads, as `schema.table`, and its columns by name."""

    inputs: Sequence[str]
    columns: Mapping[str, ColumnLineage]


class DataTest(msgspec.Struct, frozen=True):
    """A dbt test: the `schema.table` that it is about, its kind, and its column if it has one."""

    table: str
    kind: str
    column: str | None


class Lineage(msgspec.Struct, frozen=True):
    """The models by `schema.table` as they are in force, and the tests by their names."""

    models: Mapping[str, ModelLineage]
    checks: Mapping[str, DataTest]

    def raw_tables(self) -> Sequence[str]:
        """The raw tables that models read, as `schema.table`."""
        read = {table for model in self.models.values() for table in model.inputs}
        return sorted(table for table in read if is_raw(table))

    def behind(self, table: str, column: str) -> Sequence[str]:
        """All columns that one is made of, `schema.table.column`, the raw ones among them."""
        found: set[str] = set()
        ahead = [f"{table}.{column}"]
        while ahead:
            name, _, of = ahead.pop().rpartition(".")
            model = self.models.get(name)
            inputs = model.columns[of].inputs if model and of in model.columns else ()
            ahead += [entry for entry in inputs if entry not in found]
            found.update(inputs)
        return sorted(found)


def is_raw(name: str) -> bool:
    """Whether a sync writes that table or column."""
    return name.startswith(f"{RAW_DATASET}.")


@cache
def read_lineage() -> Lineage:
    return msgspec.json.decode(FILE.read_bytes(), type=Lineage)
