"""Engine: all models are made by Spark or Sail, from the pinned snapshots of a lake.

It begins with nothing but those, in a session of its own, so that a build which fails leaves
nothing; what it made is put in force in the lake's copy in one transaction.
"""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa

from wholesale.errors import ConfigurationError, WholesaleError
from wholesale_elt.process import environment, import_extra
from wholesale_elt.warehouse import RAW_DATASET, Pinned, Raw

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXTRA = "engine"
ROWS_A_PART = 250_000
"""Of a table, taken over at a time: it bounds what is held in memory."""
IN_FORCE = ("history", "marts", "bi")
LAYERS = ("staging", "intermediate", *IN_FORCE)
QUIET = {"RUST_LOG": "error", "SPARK_HOME": "."}
"""Sail says nothing on standard error, and pyspark, which needs no Spark here, looks for none."""
SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.decimalOperations.allowPrecisionLoss": "false",
}
"""Without the second, sums keep fewer digits than their parts, and nobody says so."""
EXACT = "select cast('0.123456789' as decimal(38, 9)) * cast('0.987654321' as decimal(38, 9))"
PRODUCT = Decimal("0.121932631112635269")


class Made(Protocol):
    """What dbt says of a model that ran."""

    node: Any


@dataclass(frozen=True)
class Engine:
    """A session of an engine, with raw tables as they were at one moment; `address` is for dbt."""

    session: "SparkSession"
    address: str

    def put_in_force(self, raw: Raw, results: Sequence[Made]) -> None:
        """Put what these models made in the place of what is there, all at once."""
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
        rows = self.session.table(f"{node.schema}.{node.alias}")
        types = {name: column.data_type for name, column in node.columns.items()}
        table = f"wholesale_{node.config.schema}.{node.alias}"
        for number, part in enumerate(_parts(rows)):
            if number == 0:
                columns = [
                    f"{raw.quoted(field.name)} {types.get(field.name) or _type_of(field.type)}"
                    for field in part.schema
                ]
                raw.execute(f"create or replace table {table} ({', '.join(columns)})")
            raw.append(table, part)


@contextmanager
def engine(
    name: str, remote: str | None, pinned: Mapping[str, Pinned], spill: Path
) -> Iterator[Engine]:
    """A session of Sail, embedded in this process with its tables in `spill`, or of what answers at
    `remote`.

    Raises: ConfigurationError for an engine that is not installed or not exact.
    """
    with _address(name, remote) as address, TemporaryDirectory(dir=spill) as folder:
        session = _session(address)
        try:
            _refuse_what_is_not_exact(session, name)
            session.sql(f"create database if not exists {RAW_DATASET}")
            if not remote:  # elsewhere its own settings say where tables lie
                for layer in LAYERS:
                    place = (Path(folder) / layer).as_uri()
                    session.sql(f"create database wholesale_{layer} location '{place}'")
            for table, at in pinned.items():
                whole = f"{RAW_DATASET}.{table}__versions"
                session.sql(f"create table {whole} using iceberg location '{at.location}'")
                session.sql(
                    f"create view {RAW_DATASET}.{table} as"
                    f" select * from {whole} version as of {at.snapshot}"
                )
            yield Engine(session, address)
        finally:
            session.stop()


@contextmanager
def _address(name: str, remote: str | None) -> Iterator[str]:
    if remote:
        yield remote
        return
    if name != "sail":
        raise ConfigurationError(
            "setting build.engine is spark, and nothing says where it is: set build.remote to"
            " sc://HOST:PORT, or use sail, which runs in this process"
        )
    with environment(QUIET):
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
    """In DuckDB, of a column that no contract declares."""
    if pa.types.is_decimal(type_):
        return f"decimal({type_.precision}, {type_.scale})"
    if pa.types.is_timestamp(type_):
        return "timestamptz"
    return {pa.int64(): "bigint", pa.int32(): "integer", pa.bool_(): "boolean"}.get(
        type_, "date" if pa.types.is_date(type_) else "varchar"
    )


def _parts(rows: Any) -> Iterator[pa.Table]:
    """The rows of a table, some at a time; once at least, for its columns."""
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
