"""SQL project: the models and tests of `sql/`, rendered in a dialect."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Self

from wholesale.errors import counted, decimal_text

SECTION = "build"
"""The section of dlt's configuration with the settings of the models."""
TESTS = "tests"
"""The folder of the tests that are about no single model."""
STAGING = "staging"
INTERMEDIATE = "intermediate"
"""The layer whose models are gone at the end of a build."""
HISTORY = "history"
OWN = "own"
"""The layer of the models that users add."""
OWN_SCHEMA = f"wholesale_{OWN}"
EXTRA = "extra_fields"
"""No raw table, but a row for each value of the undocumented fields that the settings name."""
HAS_AMOUNT = re.compile(r"\bas amount\b")


@dataclass(frozen=True, slots=True)
class Model:
    """A model: `kind` is view, table or append; `columns` are declared with their types. If it
    `is_of_each` sync, it tells of the syncs themselves, and is made after each of them."""

    name: str
    layer: str
    kind: str
    sql: str
    columns: Mapping[str, str]
    is_of_each: bool
    file: str = ""
    """Where it is, if a user added it."""

    @property
    def schema(self) -> str:
        return f"wholesale_{self.layer}"


@dataclass(frozen=True, slots=True)
class Found:
    """How much a test found: its rows, and of some tests of how many records they are and of what
    amount, as a text without zeros at its end; None also where no record has one."""

    rows: int
    records: int | None = None
    amount: str | None = None

    @classmethod
    def of_row(cls, rows: int, records: int | None, amount: Decimal | None) -> Self:
        """Of what `Check.counting` counts."""
        return cls(
            int(rows),
            None if records is None else int(records),
            None if amount is None else decimal_text(amount),
        )

    @classmethod
    def of(cls, text: str) -> Self:
        """The inverse of `as_text`."""
        rows, *rest = text.split()
        records, amount = (*rest, None, None)[:2]
        return cls(int(rows), None if records is None else int(records), amount)

    def as_text(self) -> str:
        """As marks keep it: `2`, or `2 14 99.5`."""
        return " ".join(
            str(part) for part in (self.rows, self.records, self.amount) if part is not None
        )

    def __str__(self) -> str:
        of = "" if self.records is None else f" of {counted(self.records, 'record')}"
        return f"{counted(self.rows, 'row')}{of}{f', amount {self.amount}' if self.amount else ''}"


@dataclass(frozen=True, slots=True)
class Check:
    """A test of a model: a query for the rows that break it, which is an error or a warning."""

    name: str
    model: str
    """Of several that it reads, the one that declares it, or else the one that is made last."""
    is_error: bool
    sql: str
    is_of_each: bool
    file: str = ""
    line: int | None = None
    """Where it is, if a user added it; a declared one has a line there."""

    @property
    def counting(self) -> str:
        """The query for what it finds: a row for `Found`. A test tells by the columns `row_count`
        and `amount` of how many records each of its rows is, and of what amount."""
        sums = ("sum(row_count)", "sum(amount)") if HAS_AMOUNT.search(self.sql) else ("null",) * 2
        records, amount = sums
        return (
            f"count(*), cast({records} as bigint), cast({amount} as decimal(38, 9))"
            f" from (\n{self.sql}\n) as found"
        )


@dataclass(frozen=True, slots=True)
class Tests:
    """Tests that one statement runs: those of a model, or one that a user added, as its error is to
    name the file."""

    model: str
    checks: Sequence[Check]

    @property
    def name(self) -> str:
        return self.checks[0].name if len(self.checks) == 1 else f"tests of {self.model}"

    @property
    def counting(self) -> str:
        """The statement for what they find: a row each, with its place among them."""
        queries = (f"select {place}, {each.counting}" for place, each in enumerate(self.checks))
        return "\nunion all\n".join(queries)

    def found(self, rows: Iterable[Sequence[Any]]) -> Mapping[str, Found]:
        """What each of them has found, of the rows of `counting`."""
        return {self.checks[place].name: Found.of_row(*counts) for place, *counts in rows}


@dataclass(frozen=True, slots=True)
class Field:
    """A field of records that the description of the API does not know, and that a setting names:
    `name` in the raw `table`, and its `column` of `mart`, whose `key` is the id of the record.

    `type` is empty if it is that in which the field is stored.
    """

    table: str
    name: str
    column: str
    type: str
    mart: str
    key: str

    @property
    def description(self) -> str:
        return (
            f"Field `{self.name}` of `{self.table}`, which the description of the API does not"
            " know, and the setting `extra_fields` names."
        )


@dataclass(frozen=True, slots=True)
class RawColumn:
    """A column that the models expect of a raw table; `cast` is never an error."""

    type: str
    cast: str


@dataclass(frozen=True, slots=True)
class Project:
    """All models and tests, in their order; `digests` is the query for a digest of each raw table,
    `inputs` for those of all else that they are made from, and `raw` has the expected columns of
    each raw table. `digest` is that of the project's files, the same for all dialects."""

    models: Sequence[Model]
    checks: Sequence[Check]
    digests: str
    inputs: str
    raw: Mapping[str, Mapping[str, RawColumn]]
    digest: str
    fields: tuple[Field, ...] = ()
    """The undocumented fields that are columns of marts."""

    @property
    def tests(self) -> Sequence[Tests]:
        """The tests, those of a model together."""
        together: dict[tuple[str, str], list[Check]] = {}
        for check in self.checks:
            together.setdefault((check.model, check.name if check.file else ""), []).append(check)
        return [Tests(model, checks) for (model, _), checks in together.items()]

    def split(self, *, is_own: bool) -> "Project":
        """Only what users added, or only the rest."""
        return replace(
            self,
            models=[model for model in self.models if bool(model.file) is is_own],
            checks=[check for check in self.checks if bool(check.file) is is_own],
        )


def project_folder() -> Path:
    """The project: beside this module when installed, at the top of a working copy otherwise."""
    installed = Path(__file__).parents[1] / "sql"
    return installed if installed.exists() else Path(__file__).parents[3] / "sql"


def names_in(sql: str) -> set[str]:
    """All words of a query, the names of the tables that it reads among them."""
    return set(re.findall(r"\w+", sql))
