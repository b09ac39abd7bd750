"""Months: which are closed, by which version, and what was counted of each when it was closed."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

import msgspec

from wholesale.errors import ConfigurationError, legible
from wholesale_books.book import Book, Entry

CLOSED, REOPENED = "closed", "reopened"
"""The kinds of entries that tell of months."""
FOLDER = "closed"
"""The folder, beside the book, of the files of closes."""
MONTH = re.compile(r"\d{4}-\d\d", re.ASCII)


class ClosedFile(msgspec.Struct, frozen=True):
    """The file of a close, by its name in `FOLDER`; `sha256` in hexadecimal."""

    name: str
    bytes: int
    sha256: str


class Closed(msgspec.Struct, frozen=True, kw_only=True):
    """What an entry `closed` tells: times are ISO 8601 in UTC, days those of `time_zone`.

    `source` is that of the manifest, and `version` the published one that is pinned;
    `figures_up_to` is the last day that was over in it, and `orders_as_of` the moment as of which
    its orders were complete. `digests` are those of its tables and of the raw ones that it was made
    of, `definitions` tell by which SQL and metrics it was counted. `figures` are those of the
    month, as decimal text; None is unknown. `notes` are sentences on what is not known of it.
    """

    month: str
    number: int
    source: str
    version: str
    as_of: str | None
    figures_up_to: str
    orders_as_of: str
    verdict: str
    note: str | None
    file: ClosedFile
    figures: Mapping[str, str | None]
    notes: Sequence[str]
    currency: str
    time_zone: str
    settings: Mapping[str, str | None]
    definitions: Mapping[str, str]
    digests: Mapping[str, str]
    software: str


class Reopened(msgspec.Struct, frozen=True, kw_only=True):
    """What an entry `reopened` tells: which close it ends, and why."""

    month: str
    number: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedMonth:
    """A close of a month, by its first day. `number` counts the closes of this month; `reopened` is
    the entry that ended it, None while the month is closed. `file` has the tables that figures and
    differences read, as they were."""

    month: date
    number: int
    entry: Entry
    about: Closed
    file: Path
    reopened: Entry | None = None

    @property
    def name(self) -> str:
        return self.about.month

    @property
    def version(self) -> str:
        return self.about.version

    @property
    def as_of(self) -> str | None:
        return self.about.as_of

    @property
    def closed_at(self) -> datetime:
        return self.entry.at

    @property
    def by(self) -> str:
        return self.entry.by

    @property
    def note(self) -> str | None:
        return self.about.note

    @property
    def figures(self) -> Mapping[str, str | None]:
        return self.about.figures

    @property
    def settings(self) -> Mapping[str, str | None]:
        return self.about.settings

    @property
    def reason(self) -> str | None:
        """Why it was reopened."""
        return self.reopened.about["reason"] if self.reopened else None


def all_closes(book: Book) -> Sequence[ClosedMonth]:
    """Every close that there was, those that were ended too, in the order of the book.

    Raises: Damaged.
    """
    return closes_in(book.read(), book.folder)


def closes_in(entries: Sequence[Entry], folder: Path) -> Sequence[ClosedMonth]:
    """Those that these entries of the book in a folder tell of."""
    ended = {
        (about.month, about.number): entry
        for entry in entries
        if entry.kind == REOPENED
        for about in [msgspec.convert(entry.about, Reopened)]
    }
    return [
        ClosedMonth(
            month=first_day(about.month),
            number=about.number,
            entry=entry,
            about=about,
            file=folder / FOLDER / about.file.name,
            reopened=ended.get((about.month, about.number)),
        )
        for entry in entries
        if entry.kind == CLOSED
        for about in [msgspec.convert(entry.about, Closed)]
    ]


def closed_months(book: Book) -> Sequence[ClosedMonth]:
    """The months that are closed, the earliest first.

    Raises: Damaged.
    """
    found = [each for each in all_closes(book) if each.reopened is None]
    return sorted(found, key=lambda each: each.month)


def first_day(month: str) -> date:
    """The first day of a month that is written `2026-10`.

    Raises: ConfigurationError for what is no month.
    """
    if MONTH.fullmatch(month):
        try:
            return date.fromisoformat(f"{month}-01")
        except ValueError:
            pass
    raise ConfigurationError(f"{legible(month)} is no month: write it as 2026-10")


def last_day(first: date) -> date:
    """The last day of the month that begins on this one."""
    return (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def file_name(month: str, number: int) -> str:
    """The name of the file of a close."""
    return f"{month}.{number}.duckdb"
