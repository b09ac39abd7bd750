"""Parquet: a table as a file of its own, in types that every reader takes, and described.

Decimals have as few digits as lose nothing: those of the warehouse have 38, which leave readers no
room for a product. JSON is plain text. What columns mean is told in the schema of Arrow that the
file holds, as Arrow itself writes it.
"""

import re
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path

import duckdb
import pyarrow as pa

from wholesale_elt.models import PUBLIC, read_contract
from wholesale_elt.warehouse import quoted

ARROW_SCHEMA = "ARROW:schema"
"""The key under which Arrow finds its own schema: a message of its IPC format, as base64."""
DECIMAL = re.compile(r"DECIMAL\(38,(\d)\)")
DIGITS = 18
"""Decimals of so many digits are stored as integers of 64 bits."""
OF_AN_AMOUNT, LEAST = 9, 2
"""The decimals of an amount in the warehouse, and the fewest that are published. Rates have fewer,
and are computed to the last of them."""


def write_parquet(
    connection: duckdb.DuckDBPyConnection,
    schema: str,
    table: str,
    columns: Mapping[str, str],
    path: Path,
) -> None:
    """Write these columns, given with their types, of a table of the attached warehouse."""
    rows = f'warehouse.{schema}."{table}"'
    listed = published_columns(connection, rows, columns)
    query = f"select {listed} from {rows}"
    fields = connection.sql(f"{query} limit 0").to_arrow_table().schema
    arrow = b64encode(_described(fields, table).serialize().to_pybytes()).decode()
    connection.execute(
        f"copy ({query}) to {quoted(path)} (format parquet, compression zstd, compression_level 1,"
        f" kv_metadata {{'{ARROW_SCHEMA}': '{arrow}'}})"
    )


def published_columns(
    connection: duckdb.DuckDBPyConnection, rows: str, columns: Mapping[str, str]
) -> str:
    """What to SELECT of these columns of such rows, so that they have the types of this module."""
    types = {**columns, **_smallest(connection, rows, columns)}
    return ", ".join(
        f'"{name}"'
        if type_ == columns[name] and type_ != "JSON"
        else f'{_as(name, type_)} "{name}"'
        for name, type_ in types.items()
    )


def _smallest(
    connection: duckdb.DuckDBPyConnection, rows: str, columns: Mapping[str, str]
) -> Mapping[str, str]:
    """The smaller types of decimals, those whose values all stay what they are."""
    found: dict[str, str] = {}
    wanted = {name: int(of[1]) for name, type_ in columns.items() if (of := DECIMAL.match(type_))}
    for scale in range(LEAST, OF_AN_AMOUNT + 1):
        type_ = f"DECIMAL({DIGITS},{scale})"
        tried = [name for name, of in wanted.items() if of in (scale, OF_AN_AMOUNT)]
        if not tried:
            continue
        checks = ", ".join(
            f'bool_and({_as(name, type_)} is not distinct from "{name}")' for name in tried
        )
        fits = connection.execute(f"select {checks} from {rows}").fetchall()[0]
        for name, is_same in zip(tried, fits, strict=True):
            if is_same is not False:  # NULL if there is no row
                found[name] = type_
                del wanted[name]
    return found


def _as(name: str, type_: str) -> str:
    """The column in that type; a decimal that does not fit becomes another value, or NULL.

    By way of floats, as DuckDB takes fifty times as long to cast decimals of 38 digits; what comes
    out is compared with what went in.
    """
    if type_ == "JSON":
        return f'cast("{name}" as varchar)'
    return f'try_cast(cast("{name}" as double) as {type_})'


def _described(fields: pa.Schema, table: str) -> pa.Schema:
    """With the descriptions of the table and its columns as metadata."""
    declared = read_contract(*PUBLIC).get(table)
    if declared is None:
        return fields
    described = [
        field.with_metadata({"description": declared.columns[field.name].description})
        if field.name in declared.columns
        else field
        for field in fields
    ]
    return pa.schema(described, {"description": declared.description})
