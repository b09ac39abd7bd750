"""Refresh: the models that are due, made anew without dbt by the SQL that it compiled last."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from wholesale.errors import WholesaleError, counted
from wholesale_elt.models.findings import NEXT
from wholesale_elt.models.mark import INTERMEDIATE, Mark, Model
from wholesale_elt.models.selection import checks_due, models_to_make
from wholesale_elt.warehouse import Raw

NOW = re.compile(r"'[^']*' /\* now \*/")
"""What the macro `now` writes."""
AGAIN = re.compile(r"/\* again (.*?) again \*/", re.DOTALL)
"""What the macro `again` writes where there was no build before."""
TO_BUILD = "int_orders_to_build"
"""The orders that a model of the kind `by_order` makes; it keeps all others."""


class Broken(WholesaleError):
    """A test found an error, or the project has what is not known here."""


@dataclass(frozen=True, slots=True)
class Step:
    """One model or test that begins: the `number`th of `of`."""

    name: str
    number: int
    of: int


def refresh(raw: Raw, mark: Mark, due: Set[str], observe: Callable[[Step], None]) -> Mark:
    """Make these models anew where they are in force, in a transaction of the caller's, and run the
    tests that read them; what they found is in the mark that is returned.

    Intermediate models are temporary tables.
    Raises: Broken when a test finds an error, or a model is of an unknown kind; what the
    destination raises.
    """
    now = datetime.now(UTC)
    columns = _columns(raw)
    models, checks = models_to_make(mark, due), sorted(checks_due(mark, due))
    steps = [*models, *checks]
    for number, name in enumerate(steps, 1):
        observe(Step(name, number, len(steps)))
        if name in mark.models:
            model = mark.models[name]
            for statement in _statements(name, model, _again(model.sql, now), columns[name]):
                raw.execute(statement)
        else:
            found = raw.rows(
                f"select count(*) from ({_again(mark.checks[name].sql, now)}) as found"
            )
            mark = _with_found(mark, name, int(found[0][0]) if found else None)
    return mark


def _statements(name: str, model: Model, sql: str, columns: Sequence[str]) -> Sequence[str]:
    """What makes the model anew, as its materialization does (`sql/macros/audit.sql`)."""
    table = f'"wholesale_{model.layer}"."{name}"'
    listed = ", ".join(f'"{column}"' for column in columns)
    insert = f"insert into {table} ({listed}) select {listed} from ({sql}) as made"
    match model.layer, model.kind:
        case "staging", "view":
            return ()
        case "intermediate", "view":
            return (f'create temporary view "{name}" as {sql}',)
        case "intermediate", "audited":
            return (f'create temporary table "{name}" as {sql}',)
        case _, "audited":
            return (f"delete from {table}", insert)
        case _, "by_order":
            among = f'where order_id in (select order_id from "{TO_BUILD}")'
            return (f"delete from {table} {among}", insert)
        case _, "incremental":
            return (insert,)
    raise Broken(f"model {name} is of the kind {model.kind}")


def _with_found(mark: Mark, name: str, rows: int | None) -> Mark:
    check = mark.checks[name]
    if rows is None or (rows and check.severity == "error"):
        found = "could not be run" if rows is None else f"found {counted(rows, 'row')}"
        raise Broken(f"test {name} {found}")
    return replace(mark, checks={**mark.checks, name: replace(check, failures=rows)})


def _again(sql: str, now: datetime) -> str:
    """The SQL of the last build as of now, upon the tables in force, and upon temporary ones in the
    place of those that are not there any more."""
    sql = AGAIN.sub(lambda found: found[1], sql)
    sql = NOW.sub(f"'{now.isoformat(sep=' ')}' /* now */", sql)
    return sql.replace(f'"wholesale_{INTERMEDIATE}{NEXT}".', "").replace(f'{NEXT}"', '"')


def _columns(raw: Raw) -> Mapping[str, Sequence[str]]:
    """The columns of each table of the models, in its order."""
    found = defaultdict(list)
    for table, column in raw.rows(
        "select table_name, column_name from information_schema.columns"
        " where table_schema in ('wholesale_history', 'wholesale_marts', 'wholesale_bi')"
        " order by table_schema, table_name, ordinal_position"
    ):
        found[table].append(column)
    return found
