"""Session: Spark or Sail with the raw tables of a pinned version of a lake, read from their files.

They need no support for Iceberg. All that a session makes is in two databases of the lake's own,
which are dropped at its end, but for the tables whose files are in the lake.
"""

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
from typing import TYPE_CHECKING

from wholesale.errors import ConfigurationError
from wholesale_elt.process import allow_import, environment, import_extra
from wholesale_lake.lake_snapshots import Pinned
from wholesale_lake.sail import EXTRA, QUIET, serving_sail

if TYPE_CHECKING:
    from pyspark.sql.connect.session import SparkSession

SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.ansi.enabled": "true",
    "spark.sql.decimalOperations.allowPrecisionLoss": "false",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
}
"""Without the second a sum that is too large is silently NULL, without the third a sum silently has
fewer digits than its parts. Without the last, Spark writes times in a form that Iceberg lacks."""
EXACT = "select cast('0.123456789' as decimal(38, 9)) * cast('0.987654321' as decimal(38, 9))"
PRODUCT = Decimal("0.121932631112635269")
PATTERN = re.compile(r"[][{}*?'\\]")
"""Characters with a special meaning in paths of Spark, or that would end the SQL literal."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session of an engine in a database of the lake's own, and the name of the one with the raw
    tables."""

    spark: "SparkSession"
    raw_database: str

    def declare(self, table: str, at: Pinned) -> None:
        """Name a table of the lake, which may have no file."""
        _declare(self.spark, table, at)


@contextmanager
def session(
    name: str, remote: str | None, pinned: Mapping[str, Pinned], spill: Path, memory: int
) -> Iterator[Session]:
    """A session of Sail beside this process, with its tables in `spill` and so many megabytes for
    joins, sorts and groups, or of the engine at `remote`.

    Raises: ConfigurationError for an engine that is not installed or not exact.
    """
    with (
        TemporaryDirectory(dir=spill) as folder,
        _address(name, remote, Path(folder), memory) as address,
    ):
        spark = _connected(address)
        databases = databases_of(pinned)
        try:
            _refuse_what_is_not_exact(spark, name)
            if remote:
                _drop(spark, databases)  # left by a killed build
            else:
                spark.client.set_retry_policies([])  # whoever does not answer has ended
            for own in databases:  # the raw tables' first
                place = "" if remote else f" location '{(Path(folder) / own).as_uri()}'"
                spark.sql(f"create database {own}{place}")
            for table, at in pinned.items():
                if at.files:
                    _declare(spark, f"{databases[0]}.{table}", at)
            spark.sql(f"use database {databases[1]}")
            yield Session(spark, databases[0])
        finally:
            if remote:
                _drop(spark, databases)
            spark.stop()


def databases_of(pinned: Mapping[str, Pinned]) -> tuple[str, str]:
    """The lake's databases for raw tables and for models, as all builds on an engine share one
    namespace."""
    place = min(at.location for at in pinned.values())
    database = f"wholesale_{sha256(place.encode()).hexdigest()[:12]}"
    return f"{database}_raw", database


def columns_of(at: Pinned) -> Mapping[str, str]:
    """The columns of a table with the engine's types."""
    allow_import("pandas")  # which pyspark needs
    with _quiet():
        types = import_extra("pyspark.sql.pandas.types", EXTRA)
        return {
            field.name: field.dataType.simpleString()
            for field in types.from_arrow_schema(at.columns)
        }


def literal(value: str) -> str:
    """A text in the engine's SQL."""
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _declare(spark: "SparkSession", table: str, at: Pinned) -> None:
    columns = columns_of(at)
    if not at.files:
        empty = ", ".join(f"cast(null as {type_}) as `{name}`" for name, type_ in columns.items())
        spark.sql(f"create view {table} as select {empty} where false")
        return
    listed = ", ".join(f"`{name}` {type_}" for name, type_ in columns.items())
    spark.sql(f"create table {table} ({listed}) using parquet location '{_one_path(at.files)}'")


def _drop(spark: "SparkSession", databases: Sequence[str]) -> None:
    spark.sql("use database default")
    for database in databases:
        spark.sql(f"drop database if exists {database} cascade")


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
    if remote:
        yield remote
        return
    if name != "sail":
        raise ConfigurationError(
            "setting build.engine is spark, and nothing says where it is: set build.remote to"
            " sc://HOST:PORT, or use sail, which runs on this machine"
        )
    with serving_sail(spill, memory) as address:
        yield address


@contextmanager
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings(), environment(QUIET):
        warnings.simplefilter("ignore")  # pyspark's own, about a newer pandas
        yield


def _connected(address: str) -> "SparkSession":
    with _quiet():
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
