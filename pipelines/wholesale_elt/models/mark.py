"""Mark: what the tables in force were made from, and how; kept beside them in the warehouse."""

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import msgspec

from wholesale_elt.warehouse import Raw

SCHEMA = "wholesale_build"
MAKERS = ("wholesale-elt", "duckdb", "dbt-core", "dbt-duckdb", "dbt-postgres")
"""Packages of which another version may make other tables of the same."""
INTERMEDIATE = "intermediate"
"""The layer of which nothing is there any more when a build is done."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model by its layer, how dbt makes it (`kind`, dbt's materialization) and what it reads, raw
    tables too; `sql` as it was compiled last."""

    layer: str
    kind: str
    parents: Sequence[str]
    sql: str


@dataclass(frozen=True, slots=True)
class Check:
    """A test by the models that it reads; `sql` finds what breaks it, of which there were so many
    rows (`failures`) when it ran last."""

    parents: Sequence[str]
    sql: str
    severity: str
    failures: int


@dataclass(frozen=True, slots=True)
class Mark:
    """What a build was made with and from: `key` stands for SQL, settings and versions, `inputs`
    are the digests of the macro `inputs`."""

    key: str
    inputs: Mapping[str, str | None]
    models: Mapping[str, Model]
    checks: Mapping[str, Check]


def key_of(variables: Mapping[str, object]) -> str:
    """What a build is made with, other than raw tables, as a hash."""
    made_with = [sorted(variables.items()), [_version(package) for package in MAKERS]]
    return sha256(json.dumps(made_with).encode()).hexdigest()


def mark_of(key: str, inputs: Mapping[str, str | None], results: Sequence[Any]) -> Mark:
    """That of a build with these results of dbt."""
    models: dict[str, Model] = {}
    checks: dict[str, Check] = {}
    for result in results:
        node, type_ = result.node, str(result.node.resource_type)
        if type_ not in ("model", "test"):
            continue
        parents = [name.rpartition(".")[2] for name in node.depends_on.nodes]
        sql = str(node.compiled_code).strip()
        if type_ == "model":
            kind = str(node.config.materialized)
            models[node.name] = Model(node.config.schema, kind, parents, sql)
        else:
            severity = str(node.config.severity).lower()
            checks[node.name] = Check(parents, sql, severity, result.failures or 0)
    return Mark(key, inputs, models, checks)


def read_mark(raw: Raw) -> Mark | None:
    """The mark of the last build that came to its end; None where there is none to be read."""
    rows = raw.rows(f"select mark from {SCHEMA}.mark")
    try:
        return msgspec.json.decode(rows[0][0], type=Mark) if rows else None
    except msgspec.MsgspecError:
        return None


def write_mark(raw: Raw, mark: Mark) -> None:
    """Put it in the place of the one that is there; a build by dbt begins with taking that away."""
    raw.execute(f"create table if not exists {SCHEMA}.mark (mark varchar)")
    raw.execute(f"delete from {SCHEMA}.mark")
    raw.execute(f"insert into {SCHEMA}.mark values (%s)", msgspec.json.encode(mark).decode())


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
