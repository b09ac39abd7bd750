"""Stored columns: those of our tables, as dlt's schema of an earlier run has them."""

from collections.abc import Mapping
from typing import Any

from wholesale.api import RESOURCE, ColumnType

COLUMN_TYPE_OF: Mapping[str, ColumnType] = {
    "text": "text",
    "decimal": "decimal",
    "bigint": "integer",
    "bool": "boolean",
    "timestamp": "timestamp",
    "json": "json",
}


def stored_columns(tables: Mapping[str, Any]) -> dict[str, dict[str, ColumnType]]:
    """The columns of our tables, by table, as an earlier run left them in dlt's schema."""
    return {
        name: {
            column: COLUMN_TYPE_OF[str(hint["data_type"])]
            for column, hint in table["columns"].items()
            if hint.get("data_type") in COLUMN_TYPE_OF
        }
        for name, table in tables.items()
        if name.split("__")[0] in RESOURCE
    }
