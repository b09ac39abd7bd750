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
"""Packages of which another version may make other tables of the same."""
COLUMNS = "columns"
"""The input that tells which columns there are: all SQL is compiled for them."""
INTERMEDIATE = "intermediate"
"""The layer of which nothing is there any more when a build is done."""


@dataclass(frozen=True, slots=True)
class CompiledModel:
    """A model by its layer, how dbt makes it (`kind`, dbt's materialization) and what it reads, raw
    tables too; `sql` as it was compiled last; the columns of its `contract` with their types.

    A row of a model that `is_by_order` follows from its order and from other tables as a whole,
    whose rows had the digest `beside` when the model was made last.
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
    """A test by the models that it reads; `sql` finds what breaks it, of which there were so many
    rows (`failures`) when it ran last."""

    unique_id: str
    parents: Sequence[str]
    sql: str
    severity: str
    failures: int


@dataclass(frozen=True, slots=True)
class Mark:
    """What a build was made with and from: `key` stands for SQL, settings and versions, the dbt of
    `dbt_version` compiled the SQL, `inputs` are the digests of the macro `inputs`.

    Where dbt ran the models (`is_by_dbt`), the SQL is that of its one build; else it is that of a
    first build, by which all can be made again.
    """

    key: str
    dbt_version: str
    is_by_dbt: bool
    inputs: Mapping[str, str | None]
    models: Mapping[str, CompiledModel]
    checks: Mapping[str, CompiledTest]


def key_of(variables: Mapping[str, object]) -> str:
    """What a build is made with, other than raw tables, as a hash."""
    made_with = [sorted(variables.items()), [_version(package) for package in MAKERS]]
    return sha256(json.dumps(made_with).encode()).hexdigest()


def read_mark(raw: Raw) -> Mark | None:
    """The mark of the last build that came to its end; None where there is none to be read."""
    rows = raw.rows(f"select mark from {SCHEMA}.mark")
    try:
        return msgspec.json.decode(rows[0][0], type=Mark) if rows else None
    except msgspec.MsgspecError:
        return None


def read_compiled(raw: Raw, key: str) -> Mark | None:
    """The mark of the last build, if its SQL makes all models as it would be compiled now."""
    mark = read_mark(raw)
    if not mark or mark.key != key or mark.is_by_dbt:
        return None
    columns = raw.rows(f"select input, digest from {SCHEMA}.inputs where input = '{COLUMNS}'")
    return mark if columns == [(COLUMNS, mark.inputs.get(COLUMNS))] else None


def write_mark(raw: Raw, mark: Mark) -> None:
    """Put it in the place of the one that is there; a build by dbt begins with taking that away."""
    raw.execute(f"create table if not exists {SCHEMA}.mark (mark varchar)")
    raw.execute(f"delete from {SCHEMA}.mark")
    raw.execute(f"insert into {SCHEMA}.mark values (%s)", msgspec.json.encode(mark).decode())


def write_inputs(raw: Raw, sql: str) -> None:
    """Put the view that tells of what a build is made in the place of the one that is there."""
    raw.execute(f"create schema if not exists {SCHEMA}")
    raw.execute(f"create or replace view {SCHEMA}.inputs as {sql}")


def read_inputs(raw: Raw, *, of_build: bool = False) -> Mapping[str, str | None]:
    """The digests by input: of now, or of when the last build by dbt began."""
    relation = "built_from" if of_build else "inputs"
    return dict(raw.rows(f"select input, digest from {SCHEMA}.{relation}"))


def are_in_force(raw: Raw, mark: Mark) -> bool:
    """Whether all models are there: somebody may have dropped some."""
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
