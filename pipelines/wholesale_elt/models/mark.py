"""Mark: what the tables in force were made from; kept beside them in the warehouse, in SQL."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from datetime import datetime
from hashlib import sha256
from importlib.metadata import version

from wholesale_elt.models.own import GOAL_COLUMNS as GOALS
from wholesale_elt.models.own import Goal, read_goals
from wholesale_elt.models.project import INTERMEDIATE, Found, Project
from wholesale_elt.models.settings import ModelSettings
from wholesale_elt.places import made_of, place_lines
from wholesale_elt.warehouse import Raw

SCHEMA = "wholesale_build"
MARK = f"{SCHEMA}.mark"
MAKERS = ("wholesale-elt", "duckdb", "pycountry")
"""Packages whose versions may change the tables that are built."""
MEANING = {
    *("time_zone", "is_discount_in_amounts"),
    *("cancelled_order_statuses", "refunded_payment_statuses"),
}
"""The settings that say what amounts and days of orders mean."""
ADDED = {"models", "metrics", "goals"}
"""The settings that name what users add, or a file of which the content counts."""
STATES = {
    **{"field_name": "text", "state": "text", "standing": "text"},
    **{"is_expected": "boolean", "is_past": "boolean"},
}
TERMS = {"term": "text", "days": "bigint"}
PLACES = {"country": "text", "state": "text", "place_key": "text", "made_of": "text"}
PROCESSING = {"word": "text", "meaning": "text"}
Rows = tuple[Mapping[str, str], Sequence[Sequence[object]]]
SYNC_RUNS = "sync_runs"
"""The one input that changes with every sync."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What tables were made from: `key` is a hash of the SQL, settings and versions; `inputs` are
    digests of what they read; `found` is what tests found, by test.

    `own` is a digest of what users added, of which nothing was built if `left_out` says why;
    `personal` are columns of theirs that can identify a person, `table.column`, with what they have
    it from.
    """

    key: str
    inputs: Mapping[str, str]
    found: Mapping[str, Found]
    own: str = ""
    left_out: str = ""
    personal: Mapping[str, str] = field(default_factory=dict)

    def is_left_out(self, key: str, own: str, inputs: Mapping[str, str]) -> bool:
        """Whether that was left out, with the same models and data."""
        return bool(self.left_out) and (self.key, self.own, self.inputs) == (key, own, inputs)


def build_key_of(project: Project, settings: ModelSettings) -> str:
    """A hash of the files of the models, words on columns among them, and of the settings that
    stored orders depend on, the same everywhere: accounts with another one do not add up."""
    meaning = settings.model_dump_json(include=MEANING)
    return sha256(f"{project.digest}\n{meaning}".encode()).hexdigest()[:32]


def key_of(project: Project, settings: ModelSettings, goals: Sequence[Goal]) -> str:
    """Of all but what users added."""
    ours = settings.model_dump_json(exclude=ADDED)
    parts = [repr(project.split(is_own=False)), ours, *map(version, MAKERS)]
    parts += [repr(list(goals))] if goals else []
    return sha256("\n".join(parts).encode()).hexdigest()


def read_inputs(raw: Raw, project: Project) -> Mapping[str, str]:
    queries = (project.digests, project.inputs)
    return {name: str(digest) for sql in queries for name, digest in raw.rows(sql)}


def read_mark(raw: Raw, project: Project) -> Mark | None:
    """The mark of the tables in force; None if there is none, or a table is not there any more."""
    there = set(raw.rows("select table_schema, table_name from information_schema.tables"))
    lasting = [model for model in project.models if model.layer != INTERMEDIATE]
    ours = {(model.schema, model.name) for model in lasting if not model.file}
    theirs = {(model.schema, model.name) for model in lasting if model.file}
    if not {(SCHEMA, "mark"), *ours} <= there:
        return None
    names = ("key", "input", "found", "own", "personal")
    parts: dict[str, dict[str, str]] = {name: {} for name in names}
    for part, name, value in raw.rows(f"select part, name, value from {MARK}"):
        parts.setdefault(part, {})[name] = value
    found = {name: Found.of(value) for name, value in parts["found"].items()}
    own = parts["own"] if theirs <= there or parts["own"].get("left_out") else {}
    return Mark(
        *(parts["key"].get("key", ""), parts["input"], found),
        *(own.get("digest", ""), own.get("left_out", ""), parts["personal"]),
    )


def write_mark(raw: Raw, mark: Mark) -> None:
    """Replace the mark, in the transaction of the tables that it tells of."""
    raw.execute(f"drop table if exists {MARK}")
    raw.execute(f"create table {MARK} (part text, name text, value text)")
    rows = [("key", "key", mark.key), *(("input", *entry) for entry in mark.inputs.items())]
    rows += [("found", name, found.as_text()) for name, found in mark.found.items()]
    rows += [("own", "digest", mark.own), ("own", "left_out", mark.left_out)]
    rows += [("personal", *entry) for entry in mark.personal.items()]
    values = ", ".join(["(%s, %s, %s)"] * len(rows))
    raw.execute(f"insert into {MARK} values {values}", *(cell for row in rows for cell in row))


def settings_tables(project: Project, settings: ModelSettings, now: datetime) -> Mapping[str, Rows]:
    """The tables that the SQL reads settings from, and the clock: the types of their columns by
    name, and their rows."""
    row = settings.row() | {
        "build_key": ("text", build_key_of(project, settings)),
        "built_at": ("timestamptz", now.isoformat(sep=" ")),
    }
    types = {name: type_ for name, (type_, _) in row.items()}
    return {
        "settings": (types, [[value for _, value in row.values()]]),
        "states": (STATES, [astuple(state) for state in settings.states()]),
        "terms": (TERMS, list(settings.terms.items())),
        "processing": (PROCESSING, list(settings.processing.items())),
        "goals": (GOALS, [goal.row for goal in read_goals(settings.goals)]),
    }


def write_settings(raw: Raw, project: Project, settings: ModelSettings, now: datetime) -> None:
    """Replace the rows that the SQL reads settings from."""
    raw.execute(f"create schema if not exists {SCHEMA}")
    for table, (types, rows) in settings_tables(project, settings, now).items():
        _declare_table(raw, table, types)
        raw.execute(f"delete from {SCHEMA}.{table}")
        if rows:
            row = ", ".join(f"cast(%s as {type_})" for type_ in types.values())
            raw.execute(
                f"insert into {SCHEMA}.{table} ({', '.join(types)})"
                f" values {', '.join([f'({row})'] * len(rows))}",
                *(None if cell is None else f"{cell}" for each in rows for cell in each),
            )


def write_places(raw: Raw) -> None:
    """Write the rows by which the SQL finds countries and states, unless they are there."""
    _declare_table(raw, "places", PLACES)
    made_by = made_of()
    if raw.rows(f"select distinct made_of from {SCHEMA}.places") != [(made_by,)]:
        raw.execute(f"delete from {SCHEMA}.places")
        raw.execute(
            f"insert into {SCHEMA}.places ({', '.join(PLACES)})"
            " select split_part(line, chr(9), 1), nullif(split_part(line, chr(9), 2), ''),"
            " split_part(line, chr(9), 3), %s"
            " from (select unnest(string_to_array(%s, chr(10))) as line) as lines",
            *(made_by, place_lines()),
        )


def _declare_table(raw: Raw, table: str, types: Mapping[str, str]) -> None:
    """Make the table with these columns, if it is not there; views that read it keep the one of an
    earlier release, which gets the columns that it lacks."""
    columns = ", ".join(f"{name} {type_}" for name, type_ in types.items())
    raw.execute(f"create table if not exists {SCHEMA}.{table} ({columns})")
    there = {
        name
        for (name,) in raw.rows(
            "select column_name from information_schema.columns"
            f" where table_schema = '{SCHEMA}' and table_name = '{table}'"
        )
    }
    for name, type_ in types.items():
        if name not in there:
            raw.execute(f"alter table {SCHEMA}.{table} add column {name} {type_}")
