"""Columnar tables: the exact data that the dashboard reads, each repeated text stored once."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any

import duckdb
import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from wholesale.errors import WholesaleError

Json = dict[str, Any]
MOST_VALUES = 0.5
"""With at most this share of different texts, a column is a list of these and their indices."""
SHORT = 18
"""Digits that fit into 64 bits, as those of almost all amounts: formatting them takes an eighth of
the time."""
GUID = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
MOMENT = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}Z")
FEWEST_ROWS = 3
"""From so many rows on integers may be written by their differences."""
BATCH = 50_000
"""Rows that DuckDB returns at a time."""


def read_table(connection: duckdb.DuckDBPyConnection, sql: str) -> Json:
    """The result of a query as `{"length": n, "columns": {name: column}}`.

    A column is a list, or `{"values": [...], "codes": [...]}` if texts repeat, `{"guids": "..."}`
    if all are GUIDs, without their dashes and side by side, `{"further": [...]}` if integers never
    fall: each is so much more than the one before; `{"moments": [...]}` if all are times: so many
    seconds after the one before, the first after 1970. Decimals are texts without trailing zeros,
    dates `YYYY-MM-DD`, times ISO 8601 in UTC, integers numbers.
    Raises: WholesaleError for another type.
    """
    return _encoded(_answer(connection, sql).read_all())


def read_row(connection: duckdb.DuckDBPyConnection, sql: str) -> Json:
    """The only row of a result as an object, with values in the same forms."""
    (row,) = read_objects(connection, sql)
    return row


def read_objects(connection: duckdb.DuckDBPyConnection, sql: str) -> list[Json]:
    """A small result as an object for each row."""
    rows: list[Json] = _answer(connection, sql).read_all().to_pylist()
    return rows


def read_tables(
    connection: duckdb.DuckDBPyConnection, sql: str, key: str, values: Iterable[str] = ()
) -> Iterator[tuple[str, Json]]:
    """A table for each value of the column `key`, by which the result must be sorted.

    Its columns are JSON already, which takes a tenth of the memory of their values. Only one is in
    memory at a time, and the connection is busy until the last one was taken. Those of `values`
    without a row come last, as empty tables.
    """
    reader = _answer(connection, sql)
    missing = dict.fromkeys(values)
    for value, rows in groupby(_runs(reader, key), key=lambda run: run[0]):
        missing.pop(value, None)
        yield value, _written(pa.Table.from_batches([run for _, run in rows]))
    empty = _written(reader.schema.empty_table().drop_columns([key]))
    for value in missing:
        yield value, empty


def _runs(batches: Iterable[pa.RecordBatch], key: str) -> Iterator[tuple[str, pa.RecordBatch]]:
    for batch in batches:
        runs = pc.run_end_encode(batch[key])
        rest = batch.drop_columns([key])
        start = 0
        for value, end in zip(runs.values.to_pylist(), runs.run_ends.to_pylist(), strict=True):
            yield value, rest.slice(start, end - start)
            start = end


def _answer(connection: duckdb.DuckDBPyConnection, sql: str) -> pa.RecordBatchReader:
    relation = connection.sql(sql)
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    fractions = [name for name, type_ in types.items() if _scale(type_)]
    reader = relation.project(", ".join(map(_as_text, types, types.values()))).to_arrow_reader(
        BATCH
    )
    batches = (_without_zeros(batch, fractions) for batch in reader)
    return pa.RecordBatchReader.from_batches(reader.schema, batches)


def _without_zeros(batch: pa.RecordBatch, fractions: Sequence[str]) -> pa.RecordBatch:
    """Texts of decimals without trailing zeros; SQL would take ten times as long to cut them."""
    for name in fractions:
        text = pc.ascii_rtrim(pc.ascii_rtrim(batch[name], "0"), ".")
        batch = batch.set_column(batch.column_names.index(name), name, text)
    return batch


def _as_text(name: str, type_: str) -> str:
    column = f'"{name}"'
    if type_.startswith("DECIMAL"):
        text, scale = f"cast({column} as varchar)", _scale(type_)
        if scale <= SHORT:
            short = f"try_cast({column} as decimal({SHORT}, {scale}))"
            text = f"coalesce(cast({short} as varchar), {text})"
        return f"{text} as {column}"
    if type_ == "DATE":
        return f"cast({column} as varchar) as {column}"
    if type_ == "TIMESTAMP WITH TIME ZONE":
        return f"strftime({column} at time zone 'UTC', '%Y-%m-%dT%H:%M:%SZ') as {column}"
    if type_ in ("VARCHAR", "BOOLEAN", "INTEGER", "BIGINT"):
        return column
    raise WholesaleError(f"column {name} is {type_}, which the dashboard has no form for")


def _scale(type_: str) -> int:
    """The scale of a decimal type; 0 for all other types."""
    return int(type_.removesuffix(")").rpartition(",")[2]) if type_.startswith("DECIMAL") else 0


def _encoded(table: pa.Table) -> Json:
    return {
        "length": table.num_rows,
        "columns": {name: _column(table[name]) for name in table.column_names},
    }


def _written(table: pa.Table) -> Json:
    """The same, each column as its JSON."""
    return {
        "length": table.num_rows,
        "columns": {
            name: msgspec.Raw(msgspec.json.encode(_column(table[name])))
            for name in table.column_names
        },
    }


def _column(column: pa.ChunkedArray) -> Json | Sequence[Any]:
    if pa.types.is_string(column.type) and len(column):
        encoded = column.combine_chunks().dictionary_encode()
        if len(encoded.dictionary) <= MOST_VALUES * len(column):
            return {
                "values": encoded.dictionary.to_pylist(),
                "codes": encoded.indices.to_pylist(),
            }
        if _are_all(column, GUID):
            return {"guids": "".join(pc.replace_substring(column, "-", "").to_pylist())}
        if _are_all(column, MOMENT):
            with suppress(pa.ArrowInvalid):  # a text of others may name a day that no month has
                return {"moments": _steps(column.cast(pa.timestamp("s", "UTC")).cast(pa.int64()))}
    if pa.types.is_integer(column.type) and _never_fall(column):
        return {"further": _steps(column)}
    values: list[Any] = column.to_pylist()
    return values


def _are_all(column: pa.ChunkedArray, form: re.Pattern[str]) -> bool:
    first = column[0].as_py()
    if first is None or not form.fullmatch(first):
        return False
    found = pc.match_substring_regex(column, f"^{form.pattern}$")
    return bool(pc.all(found, skip_nulls=False).as_py())


def _steps(column: pa.ChunkedArray) -> Sequence[int]:
    """The first number, and of each other one what it is more than the one before."""
    whole = column.combine_chunks()
    return [whole[0].as_py(), *pc.pairwise_diff(whole)[1:].to_pylist()]


def _never_fall(column: pa.ChunkedArray) -> bool:
    """Whether each integer is at least as much as the one before, and not all are the same."""
    if len(column) < FEWEST_ROWS or column.null_count:
        return False
    whole = column.combine_chunks()
    differences = pc.min_max(pc.pairwise_diff(whole)).as_py()
    return bool(differences["min"] >= 0 and differences["max"] > 0)
