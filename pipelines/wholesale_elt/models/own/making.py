"""Making: the table of a model that a user added, in the types that both databases have."""

import re
from collections.abc import Collection, Sequence
from typing import Any

from dlt.destinations.exceptions import DatabaseException
from sqlglot import exp, parse
from sqlglot.errors import SqlglotError

from wholesale_elt.models.findings import SIGNS, error_text
from wholesale_elt.models.project import Model
from wholesale_elt.models.rendering import NotRendered, Unknown, line_of
from wholesale_elt.process import causes, is_full_disk
from wholesale_elt.warehouse import Raw

LINE = re.compile(r"\bLINE (\d+):")
SUMS = {"HUGEINT": "bigint", "UHUGEINT": "bigint", "numeric": "decimal(38, 9)"}
"""Types of sums, of which a published file would make floats, and those that they get."""


def make_own(
    raw: Raw, model: Model, text: str, described: Collection[str], key: Sequence[str]
) -> None:
    """Make the table; sums get types that a published file has, too. `described` are the columns
    that its YAML names.

    Raises: NotRendered with what the database says, unless that is no fault of the model.
    """
    _require_a_query(raw, model, text)
    try:
        _make(raw, model, described, key)
    except DatabaseException as error:
        if any(map(is_full_disk, causes(error))) or any(sign in str(error) for sign in SIGNS):
            raise
        raise _wrong_in(model, text, error) from error


def _make(raw: Raw, model: Model, described: Collection[str], key: Sequence[str]) -> None:
    found = raw.types_of_query(model.name, model.sql)
    names = [name for name, _ in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise NotRendered(
            model.file, None, f"two columns are called {twice}: give each its own name"
        )
    if wrong := next((name for name in described if name not in names), None):
        what = str(Unknown(f"column of {model.name}", wrong, names))
        raise NotRendered(model.file, None, f"{what} (its YAML names it)")
    types = {name: SUMS.get(type_, type_) for name, type_ in found}
    raw.make_table(model.schema, model.name, {**types, **model.columns}, model.sql, key)


def _wrong_in(model: Model, text: str, error: Exception) -> NotRendered:
    """What the database says of a model, with the line of its file if that can be told."""
    said = str(error)
    found = LINE.search(said)
    line = _line_in_file(text, model.sql, int(found[1])) if found else None
    return NotRendered(model.file, line, without_place(error))


def without_place(error: Exception) -> str:
    """What the database says, without the line of its SQL."""
    return error_text(LINE.split(str(error))[0])


def _line_in_file(text: str, sql: str, number: int) -> int | None:
    """The line of a file that a line of its SQL comes from: the same, if tags add and take none."""
    lines, rendered = text.rstrip().splitlines(), sql.splitlines()
    if len(lines) == len(rendered):
        return number
    wanted = rendered[number - 1].strip() if number <= len(rendered) else ""
    same = [place for place, line in enumerate(lines, 1) if line.strip() == wanted]
    return same[0] if len(same) == 1 else None


def _require_a_query(raw: Raw, model: Model, text: str) -> None:
    """A model is one query, whose tables it names by `ref`: so they are built before it."""
    try:
        statements: list[Any] = parse(model.sql, read=raw.dialect.name)
    except SqlglotError:  # the database says better what is wrong, or takes it
        return
    if isinstance(statements[-1], exp.Semicolon):
        what = "has a comment after its last semicolon: leave out the semicolon"
        raise NotRendered(model.file, None, what)
    if len(statements) != 1 or not isinstance(statements[0], exp.Query):
        raise NotRendered(model.file, None, "is not one query: write one `select` and nothing else")
    for table in statements[0].find_all(exp.Table):
        if table.db:
            place = f"{table.db}.{table.name}"
            line = line_of(text.replace('"', ""), place)
            what = f"reads {place} by its schema: write {{{{ ref('{table.name}') }}}}"
            raise NotRendered(model.file, line, what)
