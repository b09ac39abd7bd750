"""Closes: those that the book of a warehouse tells of, each with its file if that is whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wholesale.errors import one_line
from wholesale_books.book import Book
from wholesale_books.months import ClosedMonth, closes_in
from wholesale_elt.publish import describe_file


@dataclass(frozen=True, slots=True)
class Closes:
    """All closes in the order of the book, those that were ended too; `fault` is what is wrong with
    the book, so that nothing is said by it."""

    all: Sequence[ClosedMonth]
    fault: str | None

    @property
    def of_closed(self) -> Sequence[ClosedMonth]:
        """Those of the months that are closed, the earliest first."""
        found = [each for each in self.all if each.reopened is None]
        return sorted(found, key=lambda each: each.month)


def read_closes(folder: Path) -> Closes:
    """What the book in this folder tells, as far as it can be read."""
    entries, faults = Book(folder).check()
    fault = f"the book is not whole: {faults[0]}" if faults else None
    return Closes(closes_in(entries, folder), fault)


def fault_of(month: ClosedMonth, source: str) -> str | None:
    """Why a close cannot be compared with what came from that source: it is of another one, or its
    file is not the one that the book tells of."""
    wanted, file = month.about.file, month.file
    if month.about.source != source:
        return "it was closed by what came from another service than this version"
    try:
        found = describe_file(file.parent, file)
    except FileNotFoundError:
        return f"{wanted.name}, the file of the close, is missing: put back a copy of it"
    except OSError as error:
        return f"{wanted.name}, the file of the close, cannot be read: {one_line(error.strerror)}"
    if (found.bytes, found.sha256) != (wanted.bytes, wanted.sha256):
        return f"{wanted.name}, the file of the close, was changed: put back a copy of it"
    return None
