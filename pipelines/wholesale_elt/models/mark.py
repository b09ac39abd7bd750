"""Mark: what the tables in force were made from; kept beside them in the warehouse, in SQL."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from importlib.metadata import version

from wholesale_elt.models.findings import Found
from wholesale_elt.models.project import INTERMEDIATE, Project
from wholesale_elt.models.settings import ModelSettings
from wholesale_elt.warehouse import Raw

SCHEMA = "wholesale_build"
MARK = f"{SCHEMA}.mark"
MAKERS = ("wholesale-elt", "duckdb")
"""Packages whose versions may change the tables that are built."""
MEANING = {
    *("time_zone", "is_discount_in_amounts"),
    *("cancelled_order_statuses", "refunded_payment_statuses"),
}
"""The settings that say what amounts and days of orders mean."""
SYNC_RUNS = "sync_runs"
"""The one input that changes with every sync."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What tables were made from: `key` is a hash of the SQL, settings and versions; `inputs` are
    digests of what they read; `found` is what tests found, by test."""

    key: str
    inputs: Mapping[str, str]
    found: Mapping[str, Found]


def build_key_of(project: Project, settings: ModelSettings) -> str:
    """A hash of the files of the models, words on columns among them, and of the settings that
    stored orders depend on, the same everywhere: accounts with another one do not add up."""
    meaning = settings.model_dump_json(include=MEANING)
    return sha256(f"{project.digest}\n{meaning}".encode()).hexdigest()[:32]


def key_of(project: Project, settings: ModelSettings) -> str:
    parts = [repr(project), settings.model_dump_json(), *map(version, MAKERS)]
    return sha256("\n".join(parts).encode()).hexdigest()


def read_inputs(raw: Raw, project: Project) -> Mapping[str, str]:
    queries = (project.digests, project.inputs)
    return {name: str(digest) for sql in queries for name, digest in raw.rows(sql)}


def read_mark(raw: Raw, project: Project) -> Mark | None:
    """The mark of the tables in force; None if there is none, or a table is not there any more."""
    there = set(raw.rows("select table_schema, table_name from information_schema.tables"))
    models = (model for model in project.models if model.layer != INTERMEDIATE)
    if not {(SCHEMA, "mark"), *((model.schema, model.name) for model in models)} <= there:
        return None
    parts: dict[str, dict[str, str]] = {"key": {}, "input": {}, "found": {}}
    for part, name, value in raw.rows(f"select part, name, value from {MARK}"):
        parts.setdefault(part, {})[name] = value
    found = {name: Found.of(value) for name, value in parts["found"].items()}
    return Mark(parts["key"].get("key", ""), parts["input"], found)


def write_mark(raw: Raw, mark: Mark) -> None:
    """Replace the mark, in the transaction of the tables that it tells of."""
    raw.execute(f"drop table if exists {MARK}")
    raw.execute(f"create table {MARK} (part text, name text, value text)")
    rows = [("key", "key", mark.key), *(("input", *entry) for entry in mark.inputs.items())]
    rows += [("found", name, found.as_text()) for name, found in mark.found.items()]
    values = ", ".join(["(%s, %s, %s)"] * len(rows))
    raw.execute(f"insert into {MARK} values {values}", *(cell for row in rows for cell in row))


def settings_row(
    project: Project, settings: ModelSettings, now: datetime
) -> Mapping[str, tuple[str, str]]:
    """The row that the SQL reads settings from, and the clock: type and value by column."""
    return settings.row() | {
        "build_key": ("text", build_key_of(project, settings)),
        "built_at": ("timestamptz", now.isoformat(sep=" ")),
    }


def write_settings(raw: Raw, project: Project, settings: ModelSettings, now: datetime) -> None:
    """Replace the rows that the SQL reads settings from."""
    row = settings_row(project, settings, now)
    columns = ", ".join(f"{name} {type_}" for name, (type_, _) in row.items())
    raw.execute(f"create schema if not exists {SCHEMA}")
    raw.execute(f"create table if not exists {SCHEMA}.settings ({columns})")
    raw.execute(f"delete from {SCHEMA}.settings")
    casts = ", ".join(f"cast(%s as {type_})" for type_, _ in row.values())
    values = [value for _, value in row.values()]
    raw.execute(f"insert into {SCHEMA}.settings ({', '.join(row)}) select {casts}", *values)
    flags = ("is_known", "is_cancelled", "is_settled", "is_refunded", "is_expected")
    declared = ", ".join(f"{flag} boolean" for flag in flags)
    raw.execute(
        f"create table if not exists {SCHEMA}.states (field_name text, state text, {declared})"
    )
    raw.execute(f"delete from {SCHEMA}.states")
    for state in settings.states():
        told = ", ".join(str(getattr(state, flag)).lower() for flag in flags)
        raw.execute(
            f"insert into {SCHEMA}.states values (%s, %s, {told})", state.field_name, state.state
        )
