"""Version: the published version in force, what its tables mean, and rows of them."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from difflib import get_close_matches
from functools import cache
from itertools import groupby
from pathlib import Path
from threading import Timer
from typing import Any

import duckdb
import msgspec
import pyarrow as pa

from wholesale.errors import WholesaleError, one_line
from wholesale_elt.publish import find_site

MOST_MEMORY = "1GB"
MOST_SECONDS = 30.0
"""For one question; then it is given up."""
MOST_BYTES = 2**24
"""Of the rows of one answer."""
MOST_NAMES = 60
"""Of those that there are, in an error."""


class Unanswerable(WholesaleError):
    """The question names what is not there, or asks for too much."""


@dataclass(frozen=True, slots=True)
class DescribedColumn:
    """A column of a table: `type` is DuckDB's, `meaning` a sentence for people.

    `unit` is that of a figure, empty where the column is none. `models` and `raw_columns` are what
    it is made of, as `schema.table` and `schema.table.column` of the warehouse.
    """

    name: str
    type: str
    meaning: str
    is_key: bool
    unit: str = ""
    models: Sequence[str] = ()
    raw_columns: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class DescribedTable:
    """A table of the version: `question` is what it answers, and what a row of it is."""

    name: str
    schema: str
    question: str
    columns: Mapping[str, DescribedColumn]

    @property
    def keys(self) -> Sequence[str]:
        return [column.name for column in self.columns.values() if column.is_key]

    def column(self, name: str) -> DescribedColumn:
        """Raises: Unanswerable with the nearest name, where there is no such column."""
        if name not in self.columns:
            raise unknown(name, self.columns, f"column of {self.name}")
        return self.columns[name]


@dataclass(frozen=True, slots=True)
class PublishedVersion:
    """A published version. `about` is how far it may be trusted and as of when, for each answer."""

    about: Mapping[str, Any]
    database: Path
    tables: Mapping[str, DescribedTable]

    def table(self, name: str) -> DescribedTable:
        """Raises: Unanswerable with the nearest name, where there is no such table."""
        if name not in self.tables:
            raise unknown(name, self.tables, "table")
        return self.tables[name]

    @contextmanager
    def connected(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection that can read this one file and nothing else, for so many seconds.

        Raises: Unanswerable when they are over.
        """
        with duckdb.connect(self.database, read_only=True) as connection:
            for setting, value in (
                ("TimeZone", "UTC"),
                ("memory_limit", MOST_MEMORY),
                ("max_temp_directory_size", "0B"),  # what does not fit spills nowhere
                ("enable_external_access", "false"),
                ("lock_configuration", "true"),
            ):
                connection.execute(f"set {setting} = '{value}'")
            patience = Timer(MOST_SECONDS, connection.interrupt)
            patience.start()
            try:
                yield connection
            except duckdb.InterruptException:
                raise Unanswerable(
                    f"the question takes longer than {MOST_SECONDS:.0f} s: ask for less"
                ) from None
            finally:
                patience.cancel()

    def rows(self, sql: str, *values: object) -> list[dict[str, Any]]:
        """Rows as `as_rows` has them.

        Raises: Unanswerable for a value that is none of its column's type, and for too much.
        """
        try:
            with self.connected() as connection:
                return as_rows(connection.execute(sql, values).to_arrow_table())
        except (duckdb.ConversionException, duckdb.InvalidInputException) as error:
            raise Unanswerable(f"a value does not fit its column: {one_line(error)}") from None
        except duckdb.Error as error:
            raise Unanswerable(f"this cannot be read: {one_line(error)}") from None


def version_in_force(published: Path) -> PublishedVersion:
    """The version in force, looked for anew at each question.

    Raises: NotPublished when the folder holds none.
    """
    site = find_site(published)
    manifest, root = site.manifest, site.page.parent
    about = {
        name: getattr(manifest, name)
        for name in ("verdict", "as_of", "reasons", "version", "currency", "time_zone")
    }
    contracts = tuple(root / file.path for file in manifest.contracts)
    database = root / manifest.database.path
    return PublishedVersion(about, database, _tables(database, contracts))


@cache
def _tables(database: Path, contracts: Sequence[Path]) -> Mapping[str, DescribedTable]:
    """Of a version, which never changes: its columns as they are, meant as its contracts say."""
    told = {
        table["name"]: table
        for path in contracts
        for table in msgspec.json.decode(path.read_bytes())["schema"]
    }
    with duckdb.connect(database, read_only=True) as connection:
        found = connection.execute(
            "select schema_name, table_name, column_name, data_type from duckdb_columns()"
            " where not internal order by schema_name, table_name, column_index"
        ).fetchall()
    return {
        name: _table(name, schema, told.get(name, {}), [(row[2], row[3]) for row in rows])
        for (schema, name), rows in groupby(found, key=lambda row: (row[0], row[1]))
    }


def _table(
    name: str, schema: str, promised: Mapping[str, Any], types: Iterable[tuple[str, str]]
) -> DescribedTable:
    entries = {entry["name"]: entry for entry in promised.get("properties", ())}
    columns = {}
    for column, kind in types:
        entry = entries.get(column, {})
        meaning, is_key = entry.get("description", ""), entry.get("primaryKey", False)
        more = {told["property"]: told["value"] for told in entry.get("customProperties", ())}
        columns[column] = DescribedColumn(
            column,
            kind,
            meaning,
            is_key,
            more.get("unit", ""),
            more.get("models", ()),
            entry.get("transformSourceObjects", ()),
        )
    return DescribedTable(name, schema, promised.get("description", ""), columns)


def as_rows(found: pa.Table) -> list[dict[str, Any]]:
    """Rows as JSON has them: amounts as text, digit by digit, times in ISO 8601.

    Raises: Unanswerable for more than an answer may hold, and for two columns of one name.
    """
    if found.nbytes > MOST_BYTES:
        raise Unanswerable(
            f"the answer has {found.nbytes:,} bytes, and may have {MOST_BYTES:,}: ask for less"
        )
    if len(set(found.column_names)) < found.num_columns:
        raise Unanswerable("two columns have one name: give each its own")
    return [{name: as_json(value) for name, value in row.items()} for row in found.to_pylist()]


def as_json(value: object) -> object:
    """The same value where JSON has it exactly, as text otherwise. A time without a zone is UTC."""
    match value:
        case Decimal():
            return f"{value.normalize():f}"
        case datetime():
            return (value if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()
        case date():
            return value.isoformat()
        case None | bool() | int() | str():
            return value
        case bytes():
            return value.hex()
        case list():
            return [as_json(entry) for entry in value]
        case dict():
            return {str(name): as_json(entry) for name, entry in value.items()}
        case _:
            return str(value)


def unknown(name: str, known: Collection[str], what: str) -> Unanswerable:
    """The error for a name that is none of those known, with the nearest of them."""
    nearest = get_close_matches(name, known, 1)
    some = ", ".join(list(known)[:MOST_NAMES])
    meant = f"did you mean {nearest[0]}?" if nearest else f"there are {some}"
    return Unanswerable(f"there is no {what} called {name[:80]!r}: {meant}")
