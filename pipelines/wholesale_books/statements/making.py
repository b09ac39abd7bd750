"""Making: statements written into a folder, of one party or of each, in one build of the moment.

Each file is put in place whole, and noted in the book after that: a command that is killed is
repeated, and notes nothing twice.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path

from wholesale.configuration import read_model
from wholesale.errors import ConfigurationError, counted, one_line
from wholesale_books.book import Book
from wholesale_books.settings import folder_of
from wholesale_books.statements.moment import Period, find_reading
from wholesale_books.statements.noted import Noted, note, noted
from wholesale_books.statements.pages import set_pages
from wholesale_books.statements.rows import MODELS, Kind, Source
from wholesale_books.statements.statement import Statement, statements_in
from wholesale_books.statements.table import write_rows, write_workbook
from wholesale_elt.causes import made_as_of
from wholesale_elt.dashboard import read_settings
from wholesale_elt.models import BUILD, ModelSettings
from wholesale_elt.process import environment, hold, import_extra, replace
from wholesale_elt.warehouse import Warehouse, open_file

LOCK = "statements"
"""What only one command has at a time, in the state folder of a warehouse."""
NOTED_AT_ONCE = 200
EXTRAS = {"xlsx": ("xlsxwriter", "spreadsheets"), "pdf": ("typst", "letters")}
"""What a format needs, and the extra that installs it."""


TERM = re.compile(r'("(?:[^"\\]|\\.)*") = ([0-9]+)')
"""A term and its days, as `dim_settings` has them."""


def _set_pages(path: Path, statement: Statement, company: str) -> None:
    path.write_bytes(set_pages(statement, company))


FORMATS: Mapping[str, Callable[..., None]] = {
    "csv": write_rows,
    "xlsx": write_workbook,
    "pdf": _set_pages,
}


@dataclass(frozen=True, slots=True)
class Made:
    """A statement, and what is noted of its files."""

    statement: Statement
    noted: Noted


def make(
    warehouse: Warehouse,
    of: Kind,
    party: str | None,
    period: Period,
    folder: Path,
    formats: Collection[str],
    by: str,
    tell: Callable[[str], None] = lambda told: None,
) -> Iterator[Made]:
    """The statement of a party, or of each that has something open or paid, as they are made; what
    is in none of them is told.

    Raises: NotYet; ConfigurationError for a party that is not stored, or an extra that is missing;
    NotInPast if so much is not kept; Damaged; AlreadyRunning; as `build_as_of` does.
    """
    for name in formats:
        if name in EXTRAS:
            import_extra(*EXTRAS[name])
    book = Book(folder_of(warehouse))
    book.read()  # a damaged one is no place to note anything
    with opened(warehouse, of, period) as source:
        if party is not None and not source.has(party):
            raise ConfigurationError(_unknown(warehouse, source, party))
        if party is None and (without := source.without_party()):
            tell(f"{counted(without, 'order')} without the id of a {of}, in no statement")
        folder.mkdir(parents=True, exist_ok=True)
        waiting: list[Noted] = []
        try:
            for statement in statements_in(source, party):
                files = written(statement, folder, formats)
                waiting.append(noted(statement, folder, files))
                yield Made(statement, waiting[-1])
                if len(waiting) == NOTED_AT_ONCE:
                    note(book, by, waiting)
                    waiting.clear()
        finally:
            if waiting:
                note(book, by, waiting)


def _unknown(warehouse: Warehouse, source: Source, party: str) -> str:
    """Why there is no statement of it: it may be called by its name, which several can have."""
    of, word = source.of, party.strip().casefold()
    named = sorted(key for key, name in source.names().items() if name.casefold() == word)
    if named:
        return (
            f"{one_line(party)} is the name of {' and of '.join(named)}: name the {of} by that id,"
            f" --{of} {named[0]}"
        )
    return (
        f"{warehouse.name} had no {of} {one_line(party)} then: name the id of one, `wholesale sql"
        f' "select {of}_id, {"company_name" if of == "buyer" else "vendor_name"} from {of}s"` lists'
        " them"
    )


@contextmanager
def opened(
    warehouse: Warehouse, of: Kind, period: Period, told: Mapping[str, str] | None = None
) -> Iterator[Source]:
    """What was so at the moment as of which statements on that period are read; until the block
    ends. Where no setting says the currency or the terms, they are those that are `told`, by
    default those of the last build: a demo tells them to its builds alone.

    Raises: NotYet; NotInPast; AlreadyRunning; as `build_as_of` does.
    """
    reading = find_reading(warehouse, period)
    unset = _unset(_last_built(warehouse) if told is None else told)
    currency = unset.pop("currency", None) or read_model(ModelSettings, BUILD).currency
    with (
        hold(warehouse.state_folder / LOCK, "making statements"),
        environment({f"BUILD__{name.upper()}": value for name, value in unset.items()}),
        made_as_of(warehouse, reading.moment, f"{LOCK}/made", currency, MODELS) as then,
        open_file(then.database) as connection,
    ):
        yield Source.opened(connection, of, reading)


def written(
    statement: Statement, folder: Path, formats: Collection[str], *, company: str | None = None
) -> Mapping[str, str]:
    """Write its files; their SHA-256 by name."""
    company = company or read_settings().company
    found = {}
    for name in FORMATS:
        if name in formats:
            path = folder / f"{statement.stem}.{name}"
            replace(path, partial(FORMATS[name], statement=statement, company=company))
            found[path.name] = digest_of(path)
    return found


def digest_of(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _last_built(warehouse: Warehouse) -> Mapping[str, str]:
    with warehouse.open(is_read_only=True) as raw:
        if not raw.has_schema("wholesale_marts"):
            return {}
        rows = raw.rows("select currency, terms from wholesale_marts.dim_settings")
    return dict(zip(("currency", "terms"), rows[0], strict=True)) if rows else {}


def _unset(told: Mapping[str, str]) -> dict[str, str]:
    """What is told of settings that are not set, as the environment has them."""
    is_set = read_model(ModelSettings, BUILD).model_fields_set
    found = {name: told[name] for name in ("currency", "terms") if told.get(name)}
    if "terms" in found:
        days = ", ".join(f"{term}: {days}" for term, days in TERM.findall(found["terms"]))
        found["terms"] = f"{{{days}}}"
    return {name: value for name, value in found.items() if name not in is_set}
