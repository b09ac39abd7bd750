"""Version: the published version in force: its tables, what they mean, and their rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from decimal import Context, Decimal
from functools import cache
from itertools import groupby
from pathlib import Path
from threading import Lock, Timer
from typing import Any

import duckdb
import msgspec
import pyarrow as pa

from wholesale.errors import Unanswerable, decimal_text, one_line
from wholesale_elt.figures import unknown
from wholesale_elt.publish import kept_versions, site_as_of
from wholesale_elt.warehouse import open_file

EXACT = Context(prec=38)
"""As many digits as a decimal of DuckDB can have; Python's usual context would round to 28."""
LIMITS = {
    "memory_limit": "600MB",
    "max_temp_directory_size": "0B",  # nothing is spilled to disk
}
"""Of DuckDB, for a question."""
MOST_SECONDS = 30.0
"""A question that takes longer is interrupted."""
MOST_BYTES = 2**24
"""The Arrow data of one answer."""
_turn = Lock()


@dataclass(frozen=True, slots=True)
class DescribedColumn:
    """A column of a table: `type` is DuckDB's, `meaning` a sentence for people.

    `unit` is empty unless the column is a figure.
    """

    name: str
    type: str
    meaning: str
    is_key: bool
    unit: str = ""


@dataclass(frozen=True, slots=True)
class DescribedTable:
    """A table of the version: `question` says what it answers, and what one row is."""

    name: str
    schema: str
    question: str
    columns: Mapping[str, DescribedColumn]

    @property
    def keys(self) -> Sequence[str]:
        return [column.name for column in self.columns.values() if column.is_key]

    def column(self, name: str) -> DescribedColumn:
        """Raises: Unanswerable with the nearest name, if there is no such column."""
        if name not in self.columns:
            raise unknown(name, self.columns, f"column of {self.name}")
        return self.columns[name]


@dataclass(frozen=True, slots=True)
class PublishedVersion:
    """A published version. `about` is part of every answer: verdict, moment, version, currency.
    `has_previous` tells whether it is the one in force, and one before it is kept."""

    about: Mapping[str, Any]
    database: Path
    tables: Mapping[str, DescribedTable]
    has_previous: bool

    def table(self, name: str) -> DescribedTable:
        """Raises: Unanswerable with the nearest name, if there is no such table."""
        if name not in self.tables:
            raise unknown(name, self.tables, "table")
        return self.tables[name]

    @contextmanager
    def connected(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection that can read only this file, for MOST_SECONDS.

        Raises: Unanswerable after that.
        """
        with open_file(self.database, limits=LIMITS) as connection, patient(connection):
            yield connection

    def rows(self, sql: str, *values: object) -> list[dict[str, Any]]:
        """Rows as `as_rows` has them.

        Raises: Unanswerable for a value that does not fit its column, and for too large an answer.
        """
        try:
            with self.connected() as connection:
                return as_rows(connection.execute(sql, values).to_arrow_table())
        except (duckdb.ConversionException, duckdb.InvalidInputException) as error:
            raise Unanswerable(f"a value does not fit its column: {one_line(error)}") from None
        except duckdb.Error as error:
            raise Unanswerable(f"this cannot be read: {one_line(error)}") from None


@contextmanager
def patient(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """One question at a time; what the connection does is interrupted after MOST_SECONDS.

    Raises: Unanswerable then, and after as long a time in which others are answered.
    """
    if not _turn.acquire(timeout=MOST_SECONDS):
        raise Unanswerable("other questions are being answered: ask again")
    patience = Timer(MOST_SECONDS, connection.interrupt)
    patience.start()
    try:
        yield
    except duckdb.InterruptException:
        raise Unanswerable(
            f"the question takes longer than {MOST_SECONDS:.0f} s: ask for less"
        ) from None
    finally:
        patience.cancel()
        _turn.release()


def version_in_force(published: Path, as_of: str | None = None) -> PublishedVersion:
    """The version in force, looked up for each question; or that of a name or a moment.

    Raises: NotPublished if the folder holds none; Unanswerable if that one is not kept.
    """
    site = site_as_of(published, as_of)
    manifest, root = site.manifest, site.page.parent
    about = {
        name: getattr(manifest, name)
        for name in ("verdict", "as_of", "reasons", "version", "currency", "time_zone")
    }
    contracts = tuple(root / file.path for file in manifest.contracts)
    database = root / manifest.database.path
    about["findings"] = [asdict(each) for each in manifest.findings]
    about |= _days(database)
    has_previous = as_of is None and len(kept_versions(published)) > 1
    return PublishedVersion(about, database, _tables(database, contracts), has_previous)


@cache
def _days(database: Path) -> Mapping[str, object]:
    """The days that figures know of; cached, as no version ever changes."""
    with open_file(database) as connection:
        [days] = connection.execute(
            "select figures_from, figures_up_to from meta.versions"
        ).fetchall()
    return dict(zip(("figures_from", "figures_up_to"), map(as_json, days), strict=True))


@cache
def _tables(database: Path, contracts: Sequence[Path]) -> Mapping[str, DescribedTable]:
    """The tables of the file, described by the contracts; cached, as no version ever changes."""
    contracted = {
        table["name"]: table
        for path in contracts
        for table in msgspec.json.decode(path.read_bytes())["schema"]
    }
    with open_file(database) as connection:
        found = connection.execute(
            "select schema_name, table_name, column_name, data_type from duckdb_columns()"
            " where schema_name like 'wholesale%' order by schema_name, table_name, column_index"
        ).fetchall()
    return {
        name: _table(name, schema, contracted.get(name, {}), [(row[2], row[3]) for row in rows])
        for (schema, name), rows in groupby(found, key=lambda row: (row[0], row[1]))
    }


def _table(
    name: str, schema: str, contract: Mapping[str, Any], types: Iterable[tuple[str, str]]
) -> DescribedTable:
    entries = {entry["name"]: entry for entry in contract.get("properties", ())}
    columns = {}
    for column, type_ in types:
        entry = entries.get(column, {})
        custom = {each["property"]: each["value"] for each in entry.get("customProperties", ())}
        columns[column] = DescribedColumn(
            column,
            type_,
            entry.get("description", ""),
            entry.get("primaryKey", False),
            custom.get("unit", ""),
        )
    return DescribedTable(name, schema, contract.get("description", ""), columns)


def as_rows(found: pa.Table) -> list[dict[str, Any]]:
    """Rows as JSON has them: amounts as text, digit by digit, times in ISO 8601.

    Raises: Unanswerable for more than MOST_BYTES, and for two columns of one name.
    """
    if found.nbytes > MOST_BYTES:
        raise Unanswerable(
            f"the answer has {found.nbytes:,} bytes, and may have {MOST_BYTES:,}: ask for less"
        )
    if len(set(found.column_names)) < found.num_columns:
        raise Unanswerable("two columns have one name: give each its own")
    return list(map(as_row, found.to_pylist()))


def as_row(row: Mapping[str, object]) -> dict[str, Any]:
    return {name: as_json(value) for name, value in row.items()}


def as_json(value: object) -> object:
    """The value itself if JSON has it exactly, else as text. A time without a zone is UTC."""
    match value:
        case Decimal():
            return f"{value.normalize(EXACT):f}"
        case float():
            return decimal_text(Decimal(repr(value)))
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
