"""As of: the rows of a table of records as they were at a moment."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from wholesale.names import VALID_FROM, VALID_TO
from wholesale_elt.past.names import literal, past_of
from wholesale_elt.warehouse import RAW_DATASET

if TYPE_CHECKING:
    from wholesale_elt.warehouse import Raw, RawReader

AS_OF = "_as_of"


def rows_as_of(
    raw: "RawReader", table: str, columns: Sequence[str], moment: datetime, condition: str = "true"
) -> str:
    """A query for these columns, each as SQL selects it, of the rows as they were at a moment, as
    far as they fulfil a condition."""
    listed = ", ".join(columns)
    return _rows(raw.name(table), raw.name(past_of(table)), listed, literal(moment), condition)


def rows_that_differ(
    raw: "RawReader", table: str, columns: Sequence[str], since: datetime, until: datetime
) -> tuple[str, str]:
    """Queries for these columns of the rows of two moments, without those that are in force at
    both: rows of the first that ended by the second, and rows of the second that began after the
    first."""
    listed, past = ", ".join(columns), raw.name(past_of(table))
    ended = (
        f"select {listed} from {past} where ({VALID_FROM} is null or {VALID_FROM} <="
        f" {literal(since)}) and {VALID_TO} > {literal(since)} and {VALID_TO} <= {literal(until)}"
    )
    return ended, rows_as_of(raw, table, columns, until, f"{VALID_FROM} > {literal(since)}")


def written_between(
    raw: "RawReader", table: str, since: datetime, until: datetime
) -> Sequence[str]:
    """Queries for the rows that a sync brought, replaced or took away after one moment, and until
    another one."""
    return [
        f"select * from {raw.name(name)} where {column} > {literal(since)}"
        f" and {column} <= {literal(until)}"
        for name, column in (
            (table, VALID_FROM),
            (past_of(table), VALID_FROM),
            (past_of(table), VALID_TO),
        )
    ]


def next_moment(raw: "RawReader", tables: Collection[str], moment: datetime) -> datetime | None:
    """The first moment after this one at which any of these tables of records changed."""
    at = literal(moment)
    found = [
        raw.rows(f"select min({column}) from {raw.name(name)} where {column} > {at}")[0][0]
        for table in tables
        for name, column in (
            (table, VALID_FROM),
            (past_of(table), VALID_FROM),
            (past_of(table), VALID_TO),
        )
    ]
    return min(filter(None, found), default=None)


def make_functions(raw: "Raw", tables: Collection[str]) -> None:
    """Make for each of these tables of records that has none a function in SQL, such as
    `orders_as_of(moment)`, which gives its rows as they were then."""
    if raw.dialect.name == "duckdb":  # to list all of its functions takes 12 ms
        for table in tables:
            raw.execute(_macro(table))
        return
    there = {name for (name,) in raw.rows(FUNCTIONS)}
    for table in tables:
        if f"{table}{AS_OF}" not in there:
            raw.execute(_function(raw, table))


def drop_functions(raw: "Raw", tables: Collection[str]) -> None:
    """Drop the functions of these tables, where they could not follow a change of columns."""
    if raw.dialect.name == "postgres":
        for table in tables:
            raw.execute(f'drop function if exists {RAW_DATASET}."{table}{AS_OF}"(timestamptz)')


FUNCTIONS = (
    "select proname from pg_proc join pg_namespace on pg_namespace.oid = pronamespace"
    f" where nspname = '{RAW_DATASET}'"
)
"""Query of PostgreSQL for the names of the functions that there are."""


def _rows(
    table: str,
    past: str,
    columns: str,
    moment: str,
    condition: str = "true",
    union: str = "union all",
) -> str:
    began = f"{condition} and ({VALID_FROM} is null or {VALID_FROM} <= {moment})"
    return (
        f"select {columns} from {table} where {began}"
        f" {union} select {columns} from {past} where {began} and {VALID_TO} > {moment}"
    )


def _macro(table: str) -> str:
    """DuckDB finds the columns when the macro is called."""
    rows = _rows(
        f'{RAW_DATASET}."{table}"',
        f'{RAW_DATASET}."{past_of(table)}"',
        f"columns(lambda name: name <> '{VALID_TO}')",
        "cast(moment as timestamptz)",
        union="union all by name",
    )
    return f'create macro if not exists {RAW_DATASET}."{table}{AS_OF}"(moment) as table {rows}'


def _function(raw: "Raw", table: str) -> str:
    columns = raw.rows(
        "select attname, format_type(atttypid, atttypmod) from pg_attribute"
        " where attrelid = to_regclass(%s) and attnum > 0 and not attisdropped order by attnum",
        raw.name(table),
    )
    declared = ", ".join(f'"{name}" {type_}' for name, type_ in columns)
    listed = ", ".join(f'"{name}"' for name, _ in columns)
    rows = _rows(raw.name(table), raw.name(past_of(table)), listed, "$1")
    return (
        f'create function {RAW_DATASET}."{table}{AS_OF}"(timestamptz) returns table ({declared})'
        f" language sql stable as $as_of$ {rows} $as_of$"
    )
