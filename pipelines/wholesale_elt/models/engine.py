"""Engine: builds all models by Spark or Sail, from the Parquet files of a pinned version of a lake.

They need no support for Iceberg. An engine builds from scratch in schemas of the lake's own, so a
failed build leaves nothing; one transaction puts the result in force in the lake's working copy.
"""

import json
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from os.path import commonprefix
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa

from wholesale.errors import ConfigurationError, WholesaleError
from wholesale_elt.process import allow_import, environment, import_extra
from wholesale_elt.warehouse import Pinned, Raw

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXTRA = "engine"
ROWS_A_PART = 250_000
"""Rows of a table fetched at a time from a server, which bounds the memory."""
ROWS_A_GROUP = 65_536
"""Rows that Sail holds until it writes them to a file, and that are read from it at a time."""
IN_FORCE = ("history", "marts", "bi")
LAYERS = ("raw", "staging", "intermediate", *IN_FORCE)
QUIET = {"RUST_LOG": "error", "SPARK_HOME": "."}
"""Keeps Sail's log off standard error, and pyspark from looking for a Spark, which it does not need
here."""
BOUNDED = {
    "SAIL_RUNTIME__MEMORY_POOL__TYPE": "fair",
    "SAIL_EXECUTION__DEFAULT_PARALLELISM": "1",
    "SAIL_PARQUET__MAX_ROW_GROUP_SIZE": f"{ROWS_A_GROUP}",
    "SAIL_PARQUET__MAXIMUM_PARALLEL_ROW_GROUP_WRITERS": "1",
    "SAIL_PARQUET__ALLOW_SINGLE_FILE_PARALLELISM": "false",
    "MIMALLOC_PURGE_DELAY": "0",
}
"""By default Sail uses all memory, more with more cores, and frees none. Rows about to be written
and the reserve of its allocator come on top of its pool.

Sorts spill, hash joins do not. Sort-merge joins would, but those of DataFusion 55.1 panic or lose
rows if they have conditions besides their keys."""
OUT_OF_MEMORY = "total memory pool"
"""A part of Sail's message when something that cannot spill does not fit."""
SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.ansi.enabled": "true",
    "spark.sql.decimalOperations.allowPrecisionLoss": "false",
}
"""Without the second a sum that is too large is silently NULL, without the third a sum silently has
fewer digits than its parts."""
EXACT = "select cast('0.123456789' as decimal(38, 9)) * cast('0.987654321' as decimal(38, 9))"
PRODUCT = Decimal("0.121932631112635269")
PATTERN = re.compile(r"[][{}*?'\\]")
"""Characters with a special meaning in paths of Spark, or that would end the SQL literal."""


class Made(Protocol):
    """dbt's result for a model that ran."""

    node: Any


@dataclass(frozen=True)
class Engine:
    """A session of an engine with the raw tables of one moment, in schemas of that prefix. dbt
    connects to `address`; an embedded engine keeps its tables in `folder`."""

    session: "SparkSession"
    address: str
    prefix: str
    folder: Path | None

    @property
    def variables(self) -> Mapping[str, object]:
        """Variables for dbt: the schemas of raw tables, and of its own."""
        return {
            "audit_suffix": "",
            "schema_prefix": self.prefix,
            "raw_schema": f"{self.prefix}_raw",
        }

    def put_in_force(self, raw: Raw, results: Sequence[Made]) -> None:
        """Replace the tables in force by those that these models made, atomically."""
        models = [
            result.node
            for result in results
            if str(result.node.resource_type) == "model" and result.node.config.schema in IN_FORCE
        ]
        raw.begin()
        for layer in IN_FORCE:
            raw.execute(f"create schema if not exists wholesale_{layer}")
        raw.execute("drop table if exists wholesale_build.mark")  # of a build of DuckDB's own
        for node in models:
            self._take_over(raw, node)
        raw.commit()

    def _take_over(self, raw: Raw, node: Any) -> None:
        types = {name: column.data_type for name, column in node.columns.items()}
        table = f"wholesale_{node.config.schema}.{node.alias}"
        for number, part in enumerate(self._parts(node)):
            if number == 0:
                columns = [
                    f"{raw.quoted(field.name)} {types.get(field.name) or _type_of(field.type)}"
                    for field in part.schema
                ]
                raw.execute(f"create or replace table {table} ({', '.join(columns)})")
            raw.append(table, part)

    def _parts(self, node: Any) -> Iterator[pa.Table]:
        """The rows of a table in batches, at least one, for its columns."""
        written = self.folder and self.folder / node.config.schema / node.alias
        if files := sorted(written.glob("*.parquet")) if written else ():
            return _parts_written(files)
        return _parts_sent(self.session.table(f"{node.schema}.{node.alias}"))


@contextmanager
def engine(
    name: str, remote: str | None, pinned: Mapping[str, Pinned], spill: Path, memory: int
) -> Iterator[Engine]:
    """A session of Sail, embedded in this process with its tables in `spill` and so many megabytes
    for joins, sorts and groups, or of the engine at `remote`.

    Raises: ConfigurationError for an engine that is not installed or not exact.
    """
    with (
        TemporaryDirectory(dir=spill) as folder,
        _address(name, remote, Path(folder), memory) as address,
    ):
        session = _session(address)
        prefix = _prefix_of(pinned)
        try:
            _refuse_what_is_not_exact(session, name)
            _drop(session, prefix)  # left by a killed build
            own_folder = None if remote else Path(folder)
            _declare(session, prefix, pinned, own_folder)
            yield Engine(session, address, prefix, own_folder)
        finally:
            _drop(session, prefix)
            session.stop()


def _prefix_of(pinned: Mapping[str, Pinned]) -> str:
    """The prefix of the lake's schemas, as all builds on an engine share one namespace."""
    place = min(at.location for at in pinned.values())
    return f"wholesale_{sha256(place.encode()).hexdigest()[:12]}"


def _declare(
    session: "SparkSession", prefix: str, pinned: Mapping[str, Pinned], folder: Path | None
) -> None:
    """Create the schemas of all layers, an embedded engine's in `folder`, and the raw tables."""
    for layer in LAYERS:
        place = f" location '{(folder / layer).as_uri()}'" if folder else ""
        session.sql(f"create database {prefix}_{layer}{place}")
    for table, at in pinned.items():
        if at.files:
            session.sql(
                f"create table {prefix}_raw.{table} ({_declared(at.columns)})"
                f" using parquet location '{_one_path(at.files)}'"
            )


def _drop(session: "SparkSession", prefix: str) -> None:
    for layer in LAYERS:
        session.sql(f"drop database if exists {prefix}_{layer} cascade")


def _declared(columns: pa.Schema) -> str:
    types = import_extra("pyspark.sql.pandas.types", EXTRA).from_arrow_schema(columns)
    return ", ".join(f"`{field.name}` {field.dataType.simpleString()}" for field in types)


def _one_path(files: Sequence[str]) -> str:
    """A pattern that exactly these files match.

    Raises: ConfigurationError.
    """
    if odd := PATTERN.search("".join(files)):
        raise ConfigurationError(
            f"an engine takes {odd.group()!r} in a path for a pattern: keep the lake in a folder"
            f" without it, not in {files[0]}"
        )
    if len(files) == 1:
        return files[0]
    folder = commonprefix(files).rpartition("/")[0]  # noqa: RUF071 - cut at a slash
    return f"{folder}/{{{','.join(file.removeprefix(f'{folder}/') for file in files)}}}"


@contextmanager
def _address(name: str, remote: str | None, spill: Path, memory: int) -> Iterator[str]:
    allow_import("pandas")  # which pyspark needs
    if remote:
        yield remote
        return
    if name != "sail":
        raise ConfigurationError(
            "setting build.engine is spark, and nothing says where it is: set build.remote to"
            " sc://HOST:PORT, or use sail, which runs in this process"
        )
    room = {
        "SAIL_RUNTIME__MEMORY_POOL__FAIR__MAX_SIZE": f"{memory * 10**6}",
        "SAIL_RUNTIME__TEMPORARY_FILES__PATHS": json.dumps([str(spill)]),
    }
    with environment(QUIET | BOUNDED | room):
        server = import_extra("pysail.spark", EXTRA).SparkConnectServer("127.0.0.1", 0)
        server.start(background=True)
    try:
        host, port = server.listening_address
        yield f"sc://{host}:{port}"
    finally:
        server.stop()


def _session(address: str) -> "SparkSession":
    import_extra("dbt.adapters.spark", EXTRA)
    with warnings.catch_warnings(), environment(QUIET):
        warnings.simplefilter("ignore")  # pyspark's own, about a newer pandas
        builder = import_extra("pyspark.sql", EXTRA).SparkSession.builder.remote(address)
        session: SparkSession = builder.getOrCreate()
    for setting, value in SETTINGS.items():
        session.conf.set(setting, value)
    return session


def _refuse_what_is_not_exact(session: "SparkSession", name: str) -> None:
    ((product,),) = session.sql(EXACT).collect()
    if product != PRODUCT:
        raise ConfigurationError(
            f"engine {name} multiplies decimals and loses digits: {product} is not {PRODUCT}; set"
            " spark.sql.decimalOperations.allowPrecisionLoss to false where it runs"
        )


def _type_of(type_: pa.DataType) -> str:
    """The type in DuckDB of a column without a contract."""
    if pa.types.is_decimal(type_):
        return f"decimal({type_.precision}, {type_.scale})"
    if pa.types.is_timestamp(type_):
        return "timestamptz"
    return {pa.int64(): "bigint", pa.int32(): "integer", pa.bool_(): "boolean"}.get(
        type_, "date" if pa.types.is_date(type_) else "varchar"
    )


def _parts_written(files: Sequence[Path]) -> Iterator[pa.Table]:
    """Reads row group by row group; Arrow's other readers read a whole file ahead."""
    from pyarrow import parquet  # here, as other builds need not wait for this import

    for path in files:
        with parquet.ParquetFile(path) as file:
            yield file.schema_arrow.empty_table()
            for group in range(file.num_row_groups):
                yield file.read_row_group(group)


def _parts_sent(rows: Any) -> Iterator[pa.Table]:
    count = rows.count()
    parts = max(-(-count // ROWS_A_PART), 1)
    if parts == 1:
        yield rows.toArrow()
        return
    functions = import_extra("pyspark.sql.functions", EXTRA)
    number = functions.pmod(functions.xxhash64(*rows.columns), functions.lit(parts))
    found = 0
    for part in range(parts):
        taken = rows.where(number == part).toArrow()
        found += len(taken)
        yield taken
    if found != count:
        raise WholesaleError(f"an engine said that there are {count:,} rows, and gave {found:,}")
