"""Engine: makes the models of a lake by Spark or Sail, as tables that stay in the lake.

An engine runs the same rendered SQL. What it answers here are counts of rows that tests found, and
a few of those rows: no table passes through this process.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from wholesale.errors import ConfigurationError
from wholesale_elt.models import (
    Added,
    Findings,
    Found,
    Mark,
    Model,
    ModelSettings,
    Own,
    Place,
    Project,
    Tests,
    declared,
    names_in,
    read_project,
    settings_tables,
    typed,
)
from wholesale_elt.places import place_lines
from wholesale_elt.process import import_extra
from wholesale_elt.runs import refuse_newer, require_plain_ids, this_release
from wholesale_elt.warehouse import RAW_DATASET, RELEASES, Dialect, Warehouse
from wholesale_lake.built_tables import Build, mark_of
from wholesale_lake.lake import Lake
from wholesale_lake.months import JSON
from wholesale_lake.sail import EXTRA
from wholesale_lake.session import Session, columns_of, databases_of, literal, session

DIALECT = Dialect("spark", "`", Path(__file__).parent / "macros")
TYPES = {"text": "string", "timestamptz": "timestamp", "json": "string"}
"""Types that Spark calls otherwise."""
ARROW = {
    "text": pa.string(),
    "json": pa.string(),
    "bigint": pa.int64(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "timestamptz": pa.timestamp("us", "UTC"),
}
DECIMAL = re.compile(r"decimal\((\d+), (\d+)\)")
STAGING, INTERMEDIATE = "staging", "intermediate"
"""The layers whose models do not stay: the first are views of raw tables, which stay."""


class Engine(AbstractContextManager[Place]):
    """The tables of a lake as the place of a build, made by an engine that is started when it is
    first needed.

    Raises: ConfigurationError for another destination; and when it is read, for an engine that is
    not installed or not exact, or if a newer release wrote.
    """

    def __init__(self, settings: ModelSettings, warehouse: Warehouse, added: Added) -> None:
        if not isinstance(warehouse.port, Lake):
            raise ConfigurationError(
                "setting build.engine names another engine than DuckDB, which cannot read"
                f" {warehouse.name}: load into --destination lake, or leave the setting out"
            )
        lake = warehouse.port
        self.errors: type[Exception] = import_extra("pyspark.errors", EXTRA).PySparkException
        self._is_in_force = False
        self._settings, self._warehouse, self._lake = settings, warehouse, lake
        self._opened = ExitStack()
        lake.settle()
        self._raw = lake.tables.pinned()
        self._before = lake.built_in_force()
        self._build: Build | None = None
        columns = {name: columns_of(at) for name, at in self._raw.tables.items() if at.files}
        own = Own(fields=typed(added.own.fields, columns))
        project = read_project(DIALECT, warehouse.state_folder / "rendered", own)
        place = databases_of(self._raw.tables)[0]
        self.project = declared(project, columns, place, DIALECT.quote)
        as_read = declared(project, columns, RAW_DATASET, DIALECT.quote)
        self.findings = Findings(
            as_read,
            warehouse.state_folder / "findings",
            self._first_rows,
            self.errors,
            is_lasting=True,
        )

    def __enter__(self) -> Place:
        return self

    def __exit__(self, *error: object) -> None:
        self._opened.close()
        if self._is_in_force:
            self._lake.copy.forget_models()

    @contextmanager
    def making(self) -> Iterator[None]:
        with ExitStack() as self._making:
            yield

    def read_mark(self) -> Mark | None:
        if self._before is None:
            return None
        kept = {name.rpartition(".")[2] for name in self._before["snapshots"]}
        lasting = {model.name for model in self.project.models if _is_lasting(model)}
        return mark_of(self._before) if kept == lasting else None

    def read_inputs(self) -> Mapping[str, str]:
        """The lake knows the digests of its raw tables, by their parts."""
        self._refuse_newer()
        others = self._spark.sql(self.project.inputs).collect()
        known = self._raw.digests
        own = {name: known[name] for name in self.project.raw if name in known}
        return own | {name: str(digest) for name, digest in others}

    def prepare(self, due: Project) -> None:
        if not due.models:
            return
        self._build = self._making.enter_context(self._lake.tables.built.building())
        self._spark.sql(_places_table())
        if len(due.models) == len(self.project.models):
            return
        made = {model.name for model in due.models}
        queries = [*(model.sql for model in due.models), *(check.sql for check in due.checks)]
        words = {word for sql in queries for word in names_in(sql)}
        standing = self._lake.tables.built.pinned(self._before) if self._before else {}
        for model in self.project.models:
            if model.name in words - made:
                if model.name in standing:
                    self._session.declare(model.name, standing[model.name])
                elif model.layer == STAGING:
                    self.make(model)

    def make(self, model: Model) -> None:
        self._lake.renew()
        if model.kind == "view":
            self._spark.sql(f"create view {model.name} as {model.sql}")
            return
        columns = {name: TYPES.get(type_, type_) for name, type_ in model.columns.items()}
        cast = ", ".join(f"cast({name} as {type_}) as {name}" for name, type_ in columns.items())
        sql = f"select {cast} from (\n{model.sql}\n) as made" if cast else model.sql
        place = self._place_of(model)
        if model.kind != "append":
            self._spark.sql(f"create table {model.name} using parquet{place} as {sql}")
            return
        # A log without rows, which the query reads.
        empty = ", ".join(f"cast(null as {type_}) as {name}" for name, type_ in columns.items())
        self._spark.sql(f"create temporary view {model.name} as select {empty} where false")
        self._spark.sql(f"create table made_{model.name} using parquet{place} as {sql}")
        self._spark.sql(f"drop view {model.name}")
        self._spark.sql(f"create view {model.name} as select * from made_{model.name}")

    def count(self, tests: Tests) -> Mapping[str, Found]:
        self._lake.renew()
        return tests.found(self._spark.sql(tests.counting).collect())

    def personal_columns(self) -> Mapping[tuple[str, str], str]:
        """An engine builds nothing that users added."""
        return {}

    def put_in_force(self, due: Project, mark: Mark) -> None:
        if self._build:
            self._build.put_in_force(mark, self._before["snapshots"] if self._before else {})
            self._is_in_force = True

    @cached_property
    def _session(self) -> Session:
        given = self._settings
        opened = self._opened.enter_context(
            session(
                given.engine,
                given.remote,
                self._raw.tables,
                self._warehouse.state_folder,
                given.engine_memory,
            )
        )
        tables = settings_tables(self.project, given, datetime.now(UTC))
        for name, (types, rows) in tables.items():
            opened.spark.sql(_table_of(f"build_{name}", types, rows))
        return opened

    @property
    def _spark(self) -> Any:
        return self._session.spark

    def _place_of(self, model: Model) -> str:
        """Where the table's files are to be written, if it stays."""
        if not _is_lasting(model):
            return ""
        assert self._build
        folder = self._build.folder(model.schema, model.name, _arrow(model.columns))
        return f" location {literal(folder)}"

    def _first_rows(self, sql: str, most: int) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        found = self._spark.sql(f"{sql} limit {most}")
        return found.columns, [tuple(row) for row in found.collect()]

    def _refuse_newer(self) -> None:
        at = self._raw.tables.get(RELEASES)
        if at and at.files:
            raw = self._session.raw_database
            rows = self._spark.sql(f"select version from {raw}.{RELEASES}").collect()
            refuse_newer((version for (version,) in rows), self._warehouse)
            if (this_release(),) not in rows:
                with self._warehouse.open(is_read_only=True) as copied:
                    require_plain_ids(copied, self._warehouse)


def _is_lasting(model: Model) -> bool:
    return model.layer not in (STAGING, INTERMEDIATE)


def _arrow(columns: Mapping[str, str]) -> pa.Schema:
    """The columns of a model as Iceberg has them."""
    return pa.schema(
        [
            pa.field(name, _arrow_type(type_), metadata={"doc": JSON} if type_ == "json" else None)
            for name, type_ in columns.items()
        ]
    )


def _arrow_type(type_: str) -> pa.DataType:
    digits = DECIMAL.fullmatch(type_)
    return pa.decimal128(int(digits[1]), int(digits[2])) if digits else ARROW[type_]


def _table_of(name: str, types: Mapping[str, str], rows: Sequence[Sequence[object]]) -> str:
    """The statement for a table with these rows. As a view it would be a part of each query that
    reads a setting, which makes plans that take longer than to read it."""
    nothing = [[None] * len(types)]
    values = ", ".join(
        f"({', '.join('null' if cell is None else literal(f'{cell}') for cell in row)})"
        for row in rows or nothing
    )
    columns = ", ".join(
        f"cast({column} as {TYPES.get(type_, type_)}) as {column}"
        for column, type_ in types.items()
    )
    given = f"values {values} as given({', '.join(types)})"
    none = "" if rows else " where false"
    return f"create table {name} using parquet as select {columns} from {given}{none}"


def _places_table() -> str:
    """The statement that makes the rows by which the SQL finds countries and states."""
    lines = literal(place_lines())
    return (
        "create table build_places using parquet as"
        " select split_part(line, '\t', 1) as country,"
        " nullif(split_part(line, '\t', 2), '') as state, split_part(line, '\t', 3) as place_key"
        f" from (select explode(split({lines}, '\\n')) as line)"
    )
