"""Sides: what can be compared with another: a DuckDB file, a published version, or a warehouse.

All are read by DuckDB, so a table has the same rows and digests wherever it is.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import pyarrow as pa

from wholesale.api import RESOURCES
from wholesale.compare import Digest, digest_of
from wholesale.errors import ConfigurationError, WholesaleError, one_line
from wholesale.names import VALID_FROM
from wholesale.tables import shape_of
from wholesale_elt.models import OWN_SCHEMA, PUBLIC, read_contract
from wholesale_elt.process import budget, plugin_names
from wholesale_elt.publish import (
    CURRENT,
    CURRENT_VERSION,
    describe_file,
    find_version,
    opened,
    rows_of_table,
)
from wholesale_elt.warehouse import RAW_DATASET, Warehouse, open_file, warehouse_at

Columns = Mapping[str, str]
"""The columns of a table, with their types."""
Scales = Mapping[str, int]
"""How many decimals amounts are read with, by column: those that the sides store otherwise."""
PRECISION = 38
"""Digits of the longest amount."""
BUILT = ("wholesale_bi", "wholesale_marts", OWN_SCHEMA)
META = "meta"
PLAIN = re.compile(r"\w+", re.ASCII)
"""The name of any table of ours; another one is not put into SQL."""
DECIMAL = re.compile(r"DECIMAL\(\d+,(\d+)\)")
TEXTS = {"JSON", "VARCHAR"}
"""Types of which values are the same if their text is."""
COLUMNS = (
    "select schema_name, table_name, list(column_name order by column_index) as names,"
    " list(data_type order by column_index) as types"
    " from duckdb_columns()"  # also of views: tables may be those of files in a lake
    " where database_name = current_database() group by all"
)
KEYS = "select schema_name, table_name, key_columns from meta.tables where len(key_columns) > 0"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a side is: a DuckDB file, or a warehouse. `digests` are those of a version of which the
    file is as it was published."""

    name: str
    file: Path | None = None
    warehouse: Warehouse | None = None
    digests: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Side:
    """An open side; `database` is the one in use of the connection. `digests` are known without
    reading, by `schema.table`, of whole tables."""

    name: str
    connection: duckdb.DuckDBPyConnection
    digests: Mapping[str, str]

    @cached_property
    def tables(self) -> Mapping[str, Columns]:
        """The tables of its models, and of its records where it has these; by `schema.table`."""
        found = {
            (schema, table): dict(zip(names, types, strict=True))
            for schema, table, names, types in self.connection.execute(COLUMNS).fetchall()
            if PLAIN.fullmatch(table)
        }
        return {
            f"{schema}.{table}": {
                name: type_ for name, type_ in columns.items() if name != VALID_FROM
            }
            if schema == RAW_DATASET
            else columns
            for (schema, table), columns in sorted(found.items())
            if schema in BUILT or (schema == RAW_DATASET and table in _raw_keys())
        }

    @cached_property
    def keys(self) -> Mapping[str, Sequence[str]]:
        """The columns that tell the rows of a table apart, where that is declared."""
        declared = {name: table.key for name, table in read_contract(*PUBLIC).items() if table.key}
        raw = _raw_keys()
        keys: dict[str, Sequence[str]] = {}
        for name in self.tables:
            schema, table = name.split(".")
            if key := (raw if schema == RAW_DATASET else declared).get(table):
                keys[name] = key
        if self.is_published:
            for schema, table, key in self.connection.execute(KEYS).fetchall():
                keys[f"{schema}.{table}"] = key
        return keys

    @cached_property
    def is_published(self) -> bool:
        """Whether it holds what is published, so no raw tables."""
        found = self.connection.execute(
            "select 1 from duckdb_tables() where database_name = current_database()"
            f" and schema_name = '{META}' and table_name = 'tables'"
        )
        return found.fetchone() is not None

    def rows(self, name: str, columns: Sequence[str], scales: Scales) -> Iterator[pa.Table]:
        """The rows of a table in these columns, in batches, as they are hashed."""
        types = {column: pa.decimal128(PRECISION, scale) for column, scale in scales.items()}
        for rows in rows_of_table(self.connection, *name.split(".")):
            rows = rows.select(columns)
            fields = [pa.field(each.name, types.get(each.name, each.type)) for each in rows.schema]
            yield rows.cast(pa.schema(fields)) if types else rows

    def digest(
        self, name: str, columns: Sequence[str], scales: Scales, key: Sequence[str]
    ) -> Digest:
        """Of these columns of a table: known, if they are all as they are; else made."""
        is_whole = len(columns) == len(self.tables[name]) and not scales
        known = Digest.of(self.digests.get(name)) if is_whole else None
        if known:
            return known
        digest = Digest()
        for rows in self.rows(name, columns, scales):
            digest += digest_of(rows, name, key)
        return digest


def find_side(named: str, published: Path) -> Place:
    """What is named so: the path of a DuckDB file or of a published folder, a destination as
    `postgres` or `lake:PATH`, or else a version that is kept in the folder `published`.

    Raises: ConfigurationError for what is not there; NotPublished; Unanswerable for a version that
    is not kept.
    """
    path = Path(named).expanduser()
    if (path / CURRENT).is_file():
        return _version(path, CURRENT_VERSION, named)
    if path.is_file():
        return Place(named, file=path)
    if named.partition(":")[0] in plugin_names("destinations"):
        warehouse = warehouse_at(named)
        warehouse.require()
        return Place(named, warehouse=warehouse)
    if path.suffix or path.name != named or path.is_dir():
        raise ConfigurationError(
            f"{one_line(named)} is no DuckDB file and no published folder: name one, a version, or"
            " a destination such as postgres"
        )
    return _version(published.expanduser(), named, named)


def _version(published: Path, version: str, named: str) -> Place:
    manifest = find_version(published, version)
    path = published / manifest.database.path
    is_right = path.is_file() and describe_file(published, path) == manifest.database
    name = named if version == CURRENT_VERSION else manifest.version
    return Place(name, file=path, digests=manifest.digests if is_right else {})


@contextmanager
def open_side(place: Place) -> Iterator[Side]:
    """Open it to be read. Raises: WholesaleError for a file of another kind."""
    if place.file and not _is_warehouse(place.file):
        with open_file(place.file) as connection:
            yield Side(place.name, connection, place.digests)
        return
    warehouse = place.warehouse or warehouse_at(str(place.file))
    with TemporaryDirectory() as folder:
        schemas = (*BUILT, RAW_DATASET)
        with opened(warehouse, Path(folder), schemas) as connection:
            connection.execute("use warehouse")
            yield Side(place.name, connection, place.digests)


def _is_warehouse(file: Path) -> bool:
    """Whether a DuckDB file has raw tables: others may be at work on it."""
    try:
        with budget.connect(str(file), read_only=True) as connection:
            held = "select 1 from duckdb_schemas() where schema_name = ?"
            return connection.execute(held, [RAW_DATASET]).fetchone() is not None
    except duckdb.Error as error:
        raise WholesaleError(f"{file} cannot be read: {one_line(error)}") from None


def shared_type(before: str, after: str) -> int | bool:
    """Whether values of these two types can be compared; of two kinds of amounts, the number of
    decimals to do so with."""
    scales = [DECIMAL.fullmatch(each) for each in (before, after)]
    if before != after and all(scales):
        return max(int(found[1]) for found in scales if found)
    return before == after or {before, after} <= TEXTS


def _raw_keys() -> Mapping[str, Sequence[str]]:
    """The keys of the raw tables of records and of their entries."""
    return {
        table.table: [table.parent_key, table.number] if table.parent_key else ["id"]
        for resource in RESOURCES
        for table in shape_of(resource).tables
    }
