"""Mark: what the tables in force were made from, and how; kept beside them in the warehouse."""

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version

import msgspec

from wholesale_elt.warehouse import Raw

SCHEMA = "wholesale_build"
MAKERS = ("wholesale-elt", "duckdb", "dbt-core", "dbt-duckdb", "dbt-postgres")
"""Packages whose versions may change the tables that are built."""
COLUMNS = "columns"
"""The input with the raw columns, for which all SQL is compiled."""
INTERMEDIATE = "intermediate"
"""The layer whose models are removed at the end of a build."""


@dataclass(frozen=True, slots=True)
class CompiledModel:
    """A model: its layer, `kind` (dbt's materialization), what it reads (raw tables too), its
    compiled `sql`, and the columns of its `contract` with their types.

    Each row of a model that `is_by_order` depends on one order, and on all rows of other tables.
    `beside` is the digest of these other tables when the model was last made.
    """

    unique_id: str
    layer: str
    kind: str
    parents: Sequence[str]
    sql: str
    contract: Mapping[str, str]
    is_by_order: bool = False
    beside: str | None = None


@dataclass(frozen=True, slots=True)
class CompiledTest:
    """A test: the models that it reads, and `sql` for the rows that break it, of which there were
    `failures` when it ran last."""

    unique_id: str
    parents: Sequence[str]
    sql: str
    severity: str
    failures: int


@dataclass(frozen=True, slots=True)
class Mark:
    """What a build was made from: `key` is a hash of SQL, settings and versions, `dbt_version`
    compiled the SQL, and `inputs` are the digests of the macro `inputs`.

    If dbt ran the models (`is_by_dbt`), the SQL is valid for that build only; otherwise it is the
    SQL of a first build, by which all models can be made again.
    """

    key: str
    dbt_version: str
    is_by_dbt: bool
    inputs: Mapping[str, str | None]
    models: Mapping[str, CompiledModel]
    checks: Mapping[str, CompiledTest]


def key_of(variables: Mapping[str, object]) -> str:
    """A hash of everything that a build depends on, except raw tables."""
    made_with = [sorted(variables.items()), [_version(package) for package in MAKERS]]
    return sha256(json.dumps(made_with).encode()).hexdigest()


def read_mark(raw: Raw) -> Mark | None:
    """The mark of the last finished build; None if there is none, or it cannot be read."""
    rows = raw.rows(f"select mark from {SCHEMA}.mark")
    try:
        return msgspec.json.decode(rows[0][0], type=Mark) if rows else None
    except msgspec.MsgspecError:
        return None


def read_compiled(raw: Raw, key: str) -> Mark | None:
    """The mark of the last build, if its SQL is what dbt would compile now for all models."""
    mark = read_mark(raw)
    if not mark or mark.key != key or mark.is_by_dbt:
        return None
    columns = raw.rows(f"select input, digest from {SCHEMA}.inputs where input = '{COLUMNS}'")
    return mark if columns == [(COLUMNS, mark.inputs.get(COLUMNS))] else None


def write_mark(raw: Raw, mark: Mark) -> None:
    """Replace the mark; a build by dbt removes it first."""
    raw.execute(f"create table if not exists {SCHEMA}.mark (mark varchar)")
    raw.execute(f"delete from {SCHEMA}.mark")
    raw.execute(f"insert into {SCHEMA}.mark values (%s)", msgspec.json.encode(mark).decode())


def write_inputs(raw: Raw, sql: str) -> None:
    """Replace the view with the digests of what a build is made from."""
    raw.execute(f"create schema if not exists {SCHEMA}")
    raw.execute(f"create or replace view {SCHEMA}.inputs as {sql}")


def read_inputs(raw: Raw, *, of_build: bool = False) -> Mapping[str, str | None]:
    """The digests by input, at present or at the start of the last build by dbt."""
    relation = "built_from" if of_build else "inputs"
    return dict(raw.rows(f"select input, digest from {SCHEMA}.{relation}"))


def are_in_force(raw: Raw, mark: Mark) -> bool:
    """Whether all models exist; somebody may have dropped some."""
    there: Set[tuple[str, str]] = set(
        raw.rows("select table_schema, table_name from information_schema.tables")
    )
    return all(
        (f"wholesale_{model.layer}", name) in there
        for name, model in mark.models.items()
        if model.layer != INTERMEDIATE
    )


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
