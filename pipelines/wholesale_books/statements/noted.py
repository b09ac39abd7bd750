"""Noted: what the book says of a statement: of whom by key, as of when, its proof and its files."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Literal

import msgspec

from wholesale.errors import decimal_text
from wholesale_books.book import Book, Entry
from wholesale_books.statements.moment import Period
from wholesale_books.statements.rows import Kind
from wholesale_books.statements.statement import Statement
from wholesale_elt.models import ModelSettings
from wholesale_elt.publish import software

KIND = "statement"
Why = Literal["asked", "erasure"]


class Noted(msgspec.Struct, frozen=True, kw_only=True):
    """A statement that was made: `settings` are those that count and are no defaults; `totals` has
    the number of orders and the amount by section; `files` their SHA-256 by name in the `folder`.
    It names nobody."""

    of: Kind
    key: str
    day: date
    first: date
    moment: datetime
    proof: str
    settings: Mapping[str, str]
    totals: Mapping[str, tuple[int, str]]
    folder: str
    files: Mapping[str, str]
    software: str
    why: Why = "asked"

    @property
    def period(self) -> Period:
        return Period(self.first, self.day)

    @property
    def formats(self) -> Sequence[str]:
        return [Path(name).suffix.removeprefix(".") for name in self.files]

    def path(self, name: str) -> Path:
        return Path(self.folder) / name


def noted(
    statement: Statement, folder: Path, files: Mapping[str, str], why: Why = "asked"
) -> Noted:
    """What is noted of a statement whose files are there."""
    reading = statement.reading
    return Noted(
        of=statement.of,
        key=statement.party,
        day=reading.period.day,
        first=reading.period.first,
        moment=reading.moment,
        proof=statement.proof,
        settings=set_of(statement),
        totals=totals_of(statement),
        folder=str(folder.absolute()),
        files=files,
        software=software(),
        why=why,
    )


def set_of(statement: Statement) -> Mapping[str, str]:
    """The settings that count and are no defaults."""
    usual = {name: text for name, (_, text) in ModelSettings().row().items()}
    return {name: text for name, text in statement.settings.items() if text != usual[name]}


def totals_of(statement: Statement) -> Mapping[str, tuple[int, str]]:
    return {
        name: (total.count, decimal_text(total.amount)) for name, total in statement.totals.items()
    }


def statements_of(entries: Iterable[Entry]) -> Iterator[tuple[Entry, Noted]]:
    """The entries of statements, the oldest first."""
    for entry in entries:
        if entry.kind == KIND:
            yield entry, msgspec.convert(entry.about, Noted)


def note(book: Book, by: str, made: Sequence[Noted]) -> None:
    """Add an entry for each that says something else than the last one of its files.

    Raises: Damaged; AlreadyRunning.
    """
    with book.locked():
        last = {_files(each): each for _, each in statements_of(book.read())}
        new = [each for each in made if last.get(_files(each)) != each]
        if new:
            book.add_all(KIND, by, new)


def _files(each: Noted) -> tuple[str, ...]:
    return (each.folder, *sorted(each.files))
