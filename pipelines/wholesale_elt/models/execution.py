"""Execution: makes models and runs tests without dbt, by the SQL that it compiled."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256

from wholesale.errors import WholesaleError, counted
from wholesale_elt.models.findings import NEXT
from wholesale_elt.models.mark import INTERMEDIATE, CompiledModel, Mark, read_inputs
from wholesale_elt.models.selection import checks_due, models_to_make
from wholesale_elt.warehouse import Raw

NOW = re.compile(r"'[^']*' /\* now \*/")
"""The placeholder that the macro `now` writes."""
AGAIN = re.compile(r"/\* again (.*?) again \*/", re.DOTALL)
"""What the macro `again` writes if there was no build before."""
TO_BUILD = "int_orders_to_build"
"""The model with the orders to build: a model that is made by order makes only their rows again."""


class Broken(WholesaleError):
    """A test found an error, or the project has something unknown here."""


@dataclass(frozen=True, slots=True)
class BuildStep:
    """A model or test that begins, number `number` of `of`."""

    name: str
    number: int
    of: int


@dataclass(frozen=True, slots=True)
class Ran:
    """A model that was made, or a test that found so many rows (`failures`); times in UTC."""

    name: str
    began_at: datetime
    ended_at: datetime
    failures: int | None


Observe = Callable[[BuildStep], None]
Statements = Callable[[str, CompiledModel, str | None], Sequence[str]]
"""The statements that make a model, by its name and the digest of what it reads besides orders."""


def make_due(raw: Raw, mark: Mark, due: Set[str], observe: Observe) -> tuple[Mark, Sequence[Ran]]:
    """Make these models again in place, in a transaction of the caller, and run the tests that read
    them; the returned mark has their results.

    Intermediate models are temporary tables.
    Raises: Broken if a test finds an error, or a model is of an unknown kind; what the destination
    raises.
    """
    now, columns = datetime.now(UTC), _columns(raw)

    def statements(name: str, model: CompiledModel, beside: str | None) -> Sequence[str]:
        sql = _again(model.sql)
        if model.is_by_order and model.beside == beside:
            model = replace(model, kind="by_order")
        elif model.is_by_order:
            sql = model.sql
        return _statements(raw, name, model, _as_of(now, sql), columns[name])

    models, checks = models_to_make(mark, due), sorted(checks_due(mark, due))
    return _make(raw, mark, models, checks, statements, now, observe)


def make_all(raw: Raw, mark: Mark, observe: Observe) -> tuple[Mark, Sequence[Ran]]:
    """Replace all models in force, in a transaction of the caller, and run all tests. The history
    is continued.

    Raises: as `make_due`; Broken also if a model differs from its contract.
    """
    now, columns = datetime.now(UTC), _columns(raw)
    for layer in sorted({model.layer for model in mark.models.values()} - {INTERMEDIATE}):
        raw.execute(f'create schema if not exists "wholesale_{layer}"')
        raw.execute(f'drop schema if exists "wholesale_{layer}{NEXT}" cascade')
    raw.execute(f'drop schema if exists "wholesale_{INTERMEDIATE}{NEXT}" cascade')

    def statements(name: str, model: CompiledModel, beside: str | None) -> Sequence[str]:
        if name in columns and model.kind == "incremental":
            return _statements(raw, name, model, _as_of(now, _again(model.sql)), columns[name])
        sql = _as_of(now, model.sql)
        if model.contract:
            _hold_to_contract(raw, name, sql, model.contract)
        return _statements_anew(raw, name, model, sql)

    models, checks = models_to_make(mark, mark.models.keys()), sorted(mark.checks)
    mark, ran = _make(raw, mark, models, checks, statements, now, observe)
    return replace(mark, inputs=read_inputs(raw)), ran


def _make(
    raw: Raw,
    mark: Mark,
    models: Sequence[str],
    checks: Sequence[str],
    statements: Statements,
    now: datetime,
    observe: Observe,
) -> tuple[Mark, Sequence[Ran]]:
    ran: list[Ran] = []
    steps = [*models, *checks]
    for number, name in enumerate(steps, 1):
        observe(BuildStep(name, number, len(steps)))
        began, failures = datetime.now(UTC), None
        if name in mark.models:
            model = mark.models[name]
            beside = _beside(raw, mark, model) if model.is_by_order else None
            for statement in statements(name, model, beside):
                raw.execute(statement)
            mark = replace(mark, models={**mark.models, name: replace(model, beside=beside)})
        else:
            sql = _as_of(now, _again(mark.checks[name].sql))
            found = raw.rows(f"select count(*) from ({sql}) as found")
            failures = int(found[0][0]) if found else None
            mark = _with_found(mark, name, failures)
        ran.append(Ran(name, began, datetime.now(UTC), failures))
    return mark, ran


def _statements(
    raw: Raw, name: str, model: CompiledModel, sql: str, columns: Sequence[str]
) -> Sequence[str]:
    """SQL that makes the model again, as its materialization does (`sql/macros/audit.sql`)."""
    table = _table(name, model)
    listed = ", ".join(f'"{column}"' for column in columns)
    insert = f"insert into {table} ({listed}) select {listed} from ({sql}) as made"
    match model.layer, model.kind:
        case "staging", "view":
            return ()
        case "intermediate", _:
            return _statements_anew(raw, name, model, sql)
        case _, "audited":
            return (f"delete from {table}", insert)
        case _, "by_order":
            among = f'where order_id in (select order_id from "{TO_BUILD}")'
            return (f"delete from {table} {among}", insert)
        case _, "incremental":
            return (insert,)
    raise _unknown(name, model)


def _statements_anew(raw: Raw, name: str, model: CompiledModel, sql: str) -> Sequence[str]:
    """SQL that creates or replaces the model."""
    table = _table(name, model)
    match model.layer, model.kind:
        case "staging", "view":
            return (f"create or replace view {table} as {sql}",)
        case "intermediate", "view":
            return (f"create temporary view {table} as {sql}",)
        case "intermediate", "audited":
            return (f"create temporary table {table} as {sql}",)
        case _, "audited" | "by_order" if model.contract:
            declared = ", ".join(raw.declared(*column) for column in model.contract.items())
            return (f"create or replace table {table} ({declared})", f"insert into {table} {sql}")
        case _, "audited" | "by_order" | "incremental":
            return (f"create or replace table {table} as {sql}",)
    raise _unknown(name, model)


def _table(name: str, model: CompiledModel) -> str:
    return f'"{name}"' if model.layer == INTERMEDIATE else f'"wholesale_{model.layer}"."{name}"'


def _beside(raw: Raw, mark: Mark, model: CompiledModel) -> str:
    """A digest of all rows that the model reads besides orders: not of the orders to build and what
    they are made from, nor of other models that are made by order."""
    digest = sha256()
    for name in sorted({*model.parents} - {TO_BUILD, *mark.models[TO_BUILD].parents}):
        if mark.models[name].kind != "by_order":
            row = "cast(beside as text)"
            rows = raw.rows(
                f"select md5(string_agg({row}, ', ' order by {row}))"
                f" from {_table(name, mark.models[name])} as beside"
            )
            digest.update(f"{name} {rows}".encode())
    return digest.hexdigest()


def _unknown(name: str, model: CompiledModel) -> Broken:
    return Broken(f"model {name} is of the kind {model.kind}")


def _with_found(mark: Mark, name: str, rows: int | None) -> Mark:
    check = mark.checks[name]
    if rows is None or (rows and check.severity == "error"):
        found = "could not be run" if rows is None else f"found {counted(rows, 'row')}"
        raise Broken(f"test {name} {found}")
    return replace(mark, checks={**mark.checks, name: replace(check, failures=rows)})


def _hold_to_contract(raw: Raw, name: str, sql: str, declared: Mapping[str, str]) -> None:
    typed = ", ".join(f'cast(null as {type_}) as "{name}"' for name, type_ in declared.items())
    wanted, found = (
        raw.rows(f"select column_name, column_type from (describe {described})")
        for described in (f"select {typed}", sql)
    )
    if wanted != found:
        raise Broken(f"model {name} is not as its contract declares it")


def _as_of(now: datetime, sql: str) -> str:
    """The SQL with the present time, reading the tables in force, or temporary ones instead of
    intermediate models, which no longer exist."""
    sql = NOW.sub(f"'{now.isoformat(sep=' ')}' /* now */", sql)
    return sql.replace(f'"wholesale_{INTERMEDIATE}{NEXT}".', "").replace(f'{NEXT}"', '"')


def _again(sql: str) -> str:
    """The SQL for the case that there was a build before."""
    return AGAIN.sub(lambda found: found[1], sql)


def _columns(raw: Raw) -> Mapping[str, Sequence[str]]:
    """The columns of each table of the models, in their order."""
    found = defaultdict(list)
    for table, column in raw.rows(
        "select table_name, column_name from information_schema.columns"
        " where table_schema in ('wholesale_history', 'wholesale_marts', 'wholesale_bi')"
        " order by table_schema, table_name, ordinal_position"
    ):
        found[table].append(column)
    return found
