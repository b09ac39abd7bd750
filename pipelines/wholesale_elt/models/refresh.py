"""Refresh: the few tables that change with every sync, made anew without dbt."""

import re
from dataclasses import replace
from datetime import UTC, datetime

from wholesale.errors import WholesaleError, counted
from wholesale_elt.models.findings import NEXT
from wholesale_elt.models.mark import INTERMEDIATE, Mark, read_inputs
from wholesale_elt.models.selection import checks_due, models_of_the_clock
from wholesale_elt.warehouse import Raw

LAYERS = ("marts", "bi")
NOW = re.compile(r"'[^']*' /\* now \*/")
"""What the macro `now` writes."""


class Broken(WholesaleError):
    """A test found an error."""


def refresh(raw: Raw, mark: Mark) -> Mark:
    """Make the tables that tell of syncs and of their age anew, in a transaction of the caller's.

    The tests that read them run too; what they found is in the mark that is returned.
    Raises: Broken when that is an error; what the destination raises.
    """
    models = [name for name in models_of_the_clock(mark) if mark.models[name].layer in LAYERS]
    now = datetime.now(UTC)
    for name in models:
        table = f"wholesale_{mark.models[name].layer}.{name}"
        raw.execute(f"delete from {table}")
        raw.execute(f"insert into {table} {_in_force(mark, mark.models[name].sql, now)}")
    checks = dict(mark.checks)
    for name in sorted(checks_due(mark, set(models))):
        sql = _in_force(mark, checks[name].sql, now)
        (rows,) = raw.rows(f"select count(*) from ({sql}) as found")[0]
        if rows and checks[name].severity == "error":
            raise Broken(f"test {name} found {counted(rows, 'row')}")
        checks[name] = replace(checks[name], failures=rows)
    return replace(mark, inputs=read_inputs(raw), checks=checks)


def _in_force(mark: Mark, sql: str, now: datetime) -> str:
    """The SQL of the last build as of now, with tables in force in the place of those it tested;
    an intermediate model, of which there is no table any more, as a query."""
    for name, model in mark.models.items():
        built = f'"wholesale_{INTERMEDIATE}{NEXT}"."{name}"'
        if model.layer == INTERMEDIATE and built in sql:
            sql = sql.replace(built, f"({_in_force(mark, model.sql, now)})")
    return NOW.sub(f"'{now.isoformat(sep=' ')}' /* now */", sql.replace(f'{NEXT}"', '"'))
