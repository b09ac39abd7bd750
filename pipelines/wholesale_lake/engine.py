"""Engine: makes all models by Spark or Sail, from the Parquet files of a pinned version of a lake.

They need no support for Iceberg. An engine runs the same compiled SQL in a database of the lake's
own, so a failed build leaves nothing; what it made is streamed into the lake's working copy, and
put in force there by the transaction of the build.
"""

import json
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from hashlib import sha256
from os.path import commonprefix
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from wholesale.errors import ConfigurationError
from wholesale_elt.models import (
    Findings,
    Model,
    ModelSettings,
    Observe,
    Project,
    declared,
    read_project,
    require_passed,
    run,
    settings_row,
)
from wholesale_elt.process import allow_import, environment, import_extra
from wholesale_elt.warehouse import Pinned, Raw

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

EXTRA = "engine"
DIALECT = "spark"
ROWS_A_GROUP = 65_536
"""Rows that Sail holds until it writes them to a file, and that are read from it at a time."""
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
TYPES = {"text": "string", "timestamptz": "timestamp", "json": "string"}
"""Types that Spark calls otherwise."""


@dataclass(frozen=True, slots=True)
class Engine:
    """Another engine than DuckDB, the files that it reads, and a folder for what it makes."""

    settings: ModelSettings
    pinned: Mapping[str, Pinned]
    folder: Path

    def make(
        self, raw: Raw, due: Project, findings: Findings, observe: Observe
    ) -> Mapping[str, int]:
        """Make and test all models, and replace the tables in force by them, in the transaction of
        the caller; `due` are the models as DuckDB would make them. The rows that each test found.

        Raises: BuildFailed; ConfigurationError for an engine that is not installed or not exact.
        """
        given = self.settings
        with session(
            given.engine, given.remote, self.pinned, self.folder, given.engine_memory
        ) as at:
            project = declared(read_project(DIALECT), at.raw_columns, at.raw_database, "`")
            _write_settings(at.spark, given, raw)
            found = run(
                project,
                partial(_make, at.spark),
                partial(_count, at.spark),
                observe,
                import_extra("pyspark.errors", EXTRA).PySparkException,
            )
            require_passed(due, found, findings.of_another_engine())
            for model in due.models:
                if model.layer == "staging":
                    raw.make_view(model.schema, model.name, model.sql)
                elif model.columns:
                    _take_over(at.spark, raw, model)
            return found


@dataclass(frozen=True, slots=True)
class Session:
    """A session of an engine, in a database of the lake's own, with the raw tables of one moment in
    another."""

    spark: "SparkSession"
    raw_database: str
    raw_columns: Mapping[str, Mapping[str, str]]


@contextmanager
def session(
    name: str, remote: str | None, pinned: Mapping[str, Pinned], spill: Path, memory: int
) -> Iterator[Session]:
    """A session of Sail, embedded in this process with its tables in `spill` and so many megabytes
    for joins, sorts and groups, or of the engine at `remote`.

    Raises: ConfigurationError for an engine that is not installed or not exact.
    """
    with (
        TemporaryDirectory(dir=spill) as folder,
        _address(name, remote, Path(folder), memory) as address,
    ):
        spark = _connected(address)
        database = _database_of(pinned)
        databases = (f"{database}_raw", database)
        try:
            _refuse_what_is_not_exact(spark, name)
            _drop(spark, databases)  # left by a killed build
            for own in databases:
                place = "" if remote else f" location '{(Path(folder) / own).as_uri()}'"
                spark.sql(f"create database {own}{place}")
            columns = dict(_declare(spark, databases[0], pinned))
            spark.sql(f"use database {database}")
            yield Session(spark, databases[0], columns)
        finally:
            _drop(spark, databases)
            spark.stop()


def _database_of(pinned: Mapping[str, Pinned]) -> str:
    """The lake's database, as all builds on an engine share one namespace."""
    place = min(at.location for at in pinned.values())
    return f"wholesale_{sha256(place.encode()).hexdigest()[:12]}"


def _declare(
    spark: "SparkSession", database: str, pinned: Mapping[str, Pinned]
) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Create the raw tables that have rows; their columns with types."""
    types = import_extra("pyspark.sql.pandas.types", EXTRA)
    for table, at in pinned.items():
        if at.files:
            fields = types.from_arrow_schema(at.columns)
            columns = {field.name: field.dataType.simpleString() for field in fields}
            listed = ", ".join(f"`{name}` {type_}" for name, type_ in columns.items())
            spark.sql(
                f"create table {database}.{table} ({listed})"
                f" using parquet location '{_one_path(at.files)}'"
            )
            yield table, columns


def _drop(spark: "SparkSession", databases: Sequence[str]) -> None:
    spark.sql("use database default")
    for database in databases:
        spark.sql(f"drop database if exists {database} cascade")


def _write_settings(spark: "SparkSession", settings: ModelSettings, raw: Raw) -> None:
    """The rows that the SQL reads settings from, with the clock of the warehouse's."""
    ((built_at,),) = raw.rows("select built_at from wholesale_build.settings")
    row = settings_row(settings, built_at)
    columns = ", ".join(
        f"cast({_literal(value)} as {TYPES.get(type_, type_)}) as {name}"
        for name, (type_, value) in row.items()
    )
    spark.sql(f"create table build_settings using parquet as select {columns}")
    states = " union all ".join(
        f"select {_literal(state.field_name)} as field_name, {_literal(state.state)} as state,"
        f" {state.is_known} as is_known, {state.is_cancelled} as is_cancelled,"
        f" {state.is_settled} as is_settled, {state.is_refunded} as is_refunded,"
        f" {state.is_expected} as is_expected"
        for state in settings.states()
    )
    spark.sql(f"create table build_states using parquet as {states}")


def _literal(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _make(spark: "SparkSession", model: Model) -> None:
    if model.kind == "view":
        spark.sql(f"create view {model.name} as {model.sql}")
        return
    columns = [(name, TYPES.get(type_, type_)) for name, type_ in model.columns.items()]
    if model.kind == "append":  # a log without rows, which the query reads
        empty = ", ".join(f"cast(null as {type_}) as {name}" for name, type_ in columns)
        spark.sql(f"create temporary view {model.name} as select {empty} where false")
        spark.sql(f"create table made_{model.name} using parquet as {model.sql}")
        spark.sql(f"drop view {model.name}")
        spark.sql(f"create view {model.name} as select * from made_{model.name}")
        return
    cast = ", ".join(f"cast({name} as {type_}) as {name}" for name, type_ in columns)
    sql = f"select {cast} from (\n{model.sql}\n) as made" if cast else model.sql
    spark.sql(f"create table {model.name} using parquet as {sql}")


def _count(spark: "SparkSession", sql: str) -> int:
    ((rows,),) = spark.sql(f"select count(*) from (\n{sql}\n) as found").collect()
    return int(rows)


def _take_over(spark: "SparkSession", raw: Raw, model: Model) -> None:
    """Replace the table in force by what was made, in the batches in which it arrives."""
    table = f"{model.schema}.{model.name}"
    columns = ", ".join(raw.declared(*column) for column in model.columns.items())
    raw.execute(f"create or replace table {table} ({columns})")
    plan: Any = spark.table(model.name)._plan
    for part in spark.client.to_table_as_iterator(plan.to_proto(spark.client), {}):
        if isinstance(part, pa.Table):
            raw.append(table, part)


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


def _connected(address: str) -> "SparkSession":
    with warnings.catch_warnings(), environment(QUIET):
        warnings.simplefilter("ignore")  # pyspark's own, about a newer pandas
        builder = import_extra("pyspark.sql", EXTRA).SparkSession.builder.remote(address)
        spark: SparkSession = builder.getOrCreate()
    for setting, value in SETTINGS.items():
        spark.conf.set(setting, value)
    return spark


def _refuse_what_is_not_exact(spark: "SparkSession", name: str) -> None:
    ((product,),) = spark.sql(EXACT).collect()
    if product != PRODUCT:
        raise ConfigurationError(
            f"engine {name} multiplies decimals and loses digits: {product} is not {PRODUCT}; set"
            " spark.sql.decimalOperations.allowPrecisionLoss to false where it runs"
        )
