"""SQL project: the models and tests of `sql/`, as dbt compiled them for a dialect.

`poe generate` writes the folder `compiled`: a file a model and test, in `all` if it is the same in
every dialect; `order.txt`, in which models come after those that they read; and for each dialect
the queries `digests` and `inputs`, and the columns of raw tables.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ALL_DIALECTS = "all"
COLUMN = "--   "
"""How a comment begins that declares a column of a model."""
TESTS = "tests"
INTERMEDIATE = "intermediate"
"""The layer whose models are gone at the end of a build."""
HISTORY = "history"
EACH = "each"
"""The word for models and tests that tell of the syncs themselves: they run after each of them."""
HAS_AMOUNT = re.compile(r"\bas amount\b")


@dataclass(frozen=True, slots=True)
class Model:
    """A model: `kind` is view, table or append; `columns` are declared with their types."""

    name: str
    layer: str
    kind: str
    sql: str
    columns: Mapping[str, str]
    is_of_each: bool

    @property
    def schema(self) -> str:
        return f"wholesale_{self.layer}"


@dataclass(frozen=True, slots=True)
class Check:
    """A test: a query for the rows that break it, which is an error or a warning."""

    name: str
    is_error: bool
    sql: str
    is_of_each: bool

    @property
    def counting(self) -> str:
        """The query for what it finds: a row for `Found`. A test tells by the columns `row_count`
        and `amount` of how many records each of its rows is, and of what amount."""
        sums = "sum(row_count), sum(amount)" if HAS_AMOUNT.search(self.sql) else "null, null"
        return f"select count(*), {sums} from (\n{self.sql}\n) as found"


@dataclass(frozen=True, slots=True)
class RawColumn:
    """A column that the models expect of a raw table; `cast` is never an error."""

    type: str
    cast: str


@dataclass(frozen=True, slots=True)
class Project:
    """All models and tests, in their order; `digests` is the query for a digest of each raw table,
    `inputs` for those of all else that they are made from, and `raw` has the expected columns of
    each raw table."""

    models: Sequence[Model]
    checks: Sequence[Check]
    digests: str
    inputs: str
    raw: Mapping[str, Mapping[str, RawColumn]]


def project_folder() -> Path:
    """The project: beside this module when installed, at the top of a working copy otherwise."""
    installed = Path(__file__).parents[1] / "sql"
    return installed if installed.exists() else Path(__file__).parents[3] / "sql"


def read_project(dialect: str) -> Project:
    folder = project_folder() / "compiled"
    models: list[Model] = []
    checks: list[Check] = []
    for line in (folder / "order.txt").read_text("utf-8").splitlines():
        place, kind, *words = line.split()
        layer, _, name = place.partition("/")
        text = _read(folder, dialect, f"{place}.sql")
        if layer == TESTS:
            checks.append(Check(name, kind == "error", text, EACH in words))
        else:
            models.append(Model(name, layer, kind, text, dict(_columns(text)), EACH in words))
    raw = dict(_raw_tables(_read(folder, dialect, "declared.txt")))
    digests, inputs = (_read(folder, dialect, f"{name}.sql") for name in ("digests", "inputs"))
    return Project(models, checks, digests, inputs, raw)


def names_in(sql: str) -> set[str]:
    """All words of a query, the names of the tables that it reads among them."""
    return set(re.findall(r"\w+", sql))


def _read(folder: Path, dialect: str, place: str) -> str:
    own = folder / dialect / place
    return (own if own.exists() else folder / ALL_DIALECTS / place).read_text("utf-8").strip()


def _columns(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        if not line.startswith("--"):
            return
        if line.startswith(COLUMN):
            name, _, type_ = line.removeprefix(COLUMN).partition(" ")
            yield name, type_


def _raw_tables(text: str) -> Iterator[tuple[str, Mapping[str, RawColumn]]]:
    for part in text.split("-- ")[1:]:
        table, *lines = part.strip().splitlines()
        yield table, {name: RawColumn(type_, cast) for name, type_, cast in map(_cells, lines)}


def _cells(line: str) -> Sequence[str]:
    return line.split(" | ", 2)
