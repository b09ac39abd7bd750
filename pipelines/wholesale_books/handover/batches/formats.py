"""Formats: how the content of a batch is written for who receives it.

The same content is the same bytes. JSON Lines has a line for each order, with its lines and
comments in it; CSV and Parquet have a file for each part of an order, joined by `position`.
"""

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import duckdb

from wholesale_books.handover.batches.content import (
    NUMBER_IN_ORDER,
    ORDERS,
    TABLES,
    Columns,
    literal,
    quoted,
    value,
)
from wholesale_books.handover.batches.kinds import WITHOUT_CONTENT
from wholesale_books.handover.settings import Format

ORDERS_AT_ONCE = 1_000
"""So many are in memory with their lines."""
AS_IT_IS = "format csv, header false, delimiter e'\\x01', quote e'\\x02', escape e'\\x02'"
"""How DuckDB writes a text as a line: JSON has no such characters but as `\\u0001`."""
OF_RECORD = ("position", "kind", "why")


def parquet_of(folder: Path, part: str) -> Path:
    return folder / f"{part}.parquet"


def write_files(
    connection: duckdb.DuckDBPyConnection,
    content: Path,
    folder: Path,
    columns: Columns,
    format_: Format,
) -> Sequence[Path]:
    """Write the files of a batch; the connection may read and write these folders."""
    return WRITERS[format_](connection, content, folder, columns)


def _jsonl(
    connection: duckdb.DuckDBPyConnection, content: Path, folder: Path, columns: Columns
) -> Sequence[Path]:
    file, piece = folder / "orders.jsonl", folder / "piece.jsonl"
    ctes = ", ".join(
        f"{part}_of as (select position, string_agg({_json(columns[part])}, ','"
        f" order by {quoted(NUMBER_IN_ORDER[part])}) as {part}"
        f" from {_read(content, part)} where {{within}} group by position)"
        for part in NUMBER_IN_ORDER
    )
    joins = " ".join(f"left join {part}_of using (position)" for part in NUMBER_IN_ORDER)
    parts = {"order": _json(columns[ORDERS])} | {
        part: f"concat('[', {part}, ']')" for part in NUMBER_IN_ORDER
    }
    told = ", ".join(f"',\"{part}\":', {text}" for part, text in parts.items())
    none = ", ".join(f"',\"{part}\":null'" for part in parts)
    record = 'struct_pack("position" := position, kind := kind, why := why, order_id := order_id)'
    statement = (
        f"copy (with {ctes} select concat(rtrim(cast(to_json({record}) as varchar), '}}}}'),"
        f" case when {WITHOUT_CONTENT} then concat({none}) else concat({told}) end, '}}}}')"
        f" from {_read(content, ORDERS)} {joins} where {{within}} order by position)"
        f" to {literal(piece)} ({AS_IT_IS})"
    )
    last = connection.execute(f"select max(position) from {_read(content, ORDERS)}").fetchall()
    with file.open("wb") as whole:
        for first in range(1, (last[0][0] or 0) + 1, ORDERS_AT_ONCE):
            within = f"position between {first} and {first + ORDERS_AT_ONCE - 1}"
            connection.execute(statement.format(within=within))
            with piece.open("rb") as found:
                shutil.copyfileobj(found, whole)
            piece.unlink()
    return [file]


def _csv(
    connection: duckdb.DuckDBPyConnection, content: Path, folder: Path, columns: Columns
) -> Sequence[Path]:
    files = []
    for part in TABLES:
        file = folder / f"{part}.csv"
        listed = ", ".join(
            f"{value(name, type_)} as {quoted(name)}" for name, type_ in columns[part].items()
        )
        first = ", ".join(OF_RECORD if part == ORDERS else OF_RECORD[:1])
        connection.execute(
            f"copy (select {first}, {listed} from {_read(content, part)}) to {literal(file)}"
            " (format csv, header)"
        )
        files.append(file)
    return files


def _parquet(
    connection: duckdb.DuckDBPyConnection, content: Path, folder: Path, columns: Columns
) -> Sequence[Path]:
    files = [parquet_of(folder, part) for part in TABLES]
    for file in files:
        os.link(content / file.name, file)
    return files


def _read(content: Path, part: str) -> str:
    return f"read_parquet({literal(parquet_of(content, part))})"


def _json(columns: Mapping[str, str]) -> str:
    """SQL: the columns of a row as a JSON object."""
    fields = (f"{quoted(name)} := {value(name, type_)}" for name, type_ in columns.items())
    return f"cast(to_json(struct_pack({', '.join(fields)})) as varchar)"


WRITERS: Mapping[
    Format, Callable[[duckdb.DuckDBPyConnection, Path, Path, Columns], Sequence[Path]]
] = {"jsonl": _jsonl, "csv": _csv, "parquet": _parquet}
