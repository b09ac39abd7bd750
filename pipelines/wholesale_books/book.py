"""Book: a file to which entries are only added, each with the digest of the one before it.

So an entry that was changed, or is missing amid others, is found by whoever has the file. That the
last ones are missing is found by who knows the digest of a later one: what is published tells it.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

import msgspec

from wholesale.errors import WholesaleError, one_line
from wholesale_elt.process import hold, replace

NAME = "book.jsonl"
LOCK = ".lock"


class Damaged(WholesaleError):
    """An entry of the book is not what was written, or is missing; nothing is added to it."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the book: what was done (`kind`), when (UTC) and by whom; what its kind tells is
    in `about`. `before` is the digest of the entry before it, empty in the first."""

    number: int
    kind: str
    at: datetime
    by: str
    about: dict[str, Any]
    before: str
    digest: str = ""

    def sealed(self) -> Self:
        return msgspec.structs.replace(self, digest=self._digest())

    def is_sealed(self) -> bool:
        return self.digest == self._digest()

    def line(self) -> bytes:
        return msgspec.json.encode(self, order="deterministic") + b"\n"

    def _digest(self) -> str:
        """SHA-256, in hexadecimal, of the line without its digest."""
        return sha256(msgspec.structs.replace(self, digest="").line()).hexdigest()


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a line of the book, counted from 1."""

    line: int
    what: str

    def __str__(self) -> str:
        return f"line {self.line} {self.what}"


class Book:
    """The book in a folder, which is made with the first entry."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / NAME

    def read(self) -> Sequence[Entry]:
        """All entries, the oldest first.

        Raises: Damaged naming the first fault.
        """
        entries, faults = self.check()
        if faults:
            raise Damaged(
                f"{self._path}: {faults[0]}, so nothing is read from it: put back a copy of it that"
                " `wholesale verify --book` finds whole"
            )
        return entries

    def check(self) -> tuple[Sequence[Entry], Sequence[Fault]]:
        """The entries that can be read, and what is wrong with the book."""
        try:
            text = self._path.read_bytes()
        except FileNotFoundError:
            return (), ()
        entries: list[Entry] = []
        faults: list[Fault] = []
        before = ""
        for line, found in enumerate(_lines(text), 1):
            try:
                entry = msgspec.json.decode(found, type=Entry)
            except ValueError as error:
                faults.append(Fault(line, f"is no entry ({one_line(error)})"))
                before = ""
                continue
            number = entries[-1].number + 1 if entries else 1
            faults += _faults(entry, found, line, before, number)
            entries.append(entry)
            before = entry.digest
        return entries, faults

    def add(self, kind: str, by: str, about: object, at: datetime | None = None) -> Entry:
        """Add an entry; it is on the disk when this returns. The caller has `locked` the book.

        Raises: Damaged.
        """
        return self.add_all(kind, by, [about], at)[0]

    def add_all(
        self, kind: str, by: str, abouts: Sequence[object], at: datetime | None = None
    ) -> Sequence[Entry]:
        """Add an entry for each, all at once or none.

        Raises: Damaged.
        """
        entries, at = [*self.read()], at or datetime.now(UTC)
        there = len(entries)
        for about in abouts:
            entry = Entry(
                number=len(entries) + 1,
                kind=kind,
                at=at,
                by=by,
                about=msgspec.to_builtins(about),
                before=entries[-1].digest if entries else "",
            )
            entries.append(entry.sealed())
        text = b"".join(each.line() for each in entries)
        replace(self._path, partial(Path.write_bytes, data=text))
        return entries[there:]

    def locked(self) -> AbstractContextManager[None]:
        """Held by one command at a time.

        Raises: AlreadyRunning.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        return hold(self.folder / LOCK, f"the book {self.folder}")


def _lines(text: bytes) -> Sequence[bytes]:
    return text.removesuffix(b"\n").split(b"\n") if text else ()


def _faults(entry: Entry, found: bytes, line: int, before: str, number: int) -> Iterator[Fault]:
    """What is wrong with an entry that is to follow `before`, and to have this number."""
    if entry.line() != found + b"\n" or not entry.is_sealed():
        yield Fault(line, f"(entry {entry.number}) was changed: its digest is another one")
    if entry.number > number:
        missing = f"{number}" if entry.number == number + 1 else f"{number} to {entry.number - 1}"
        yield Fault(line, f"is entry {entry.number}: entry {missing} is missing before it")
    elif entry.number < number:
        yield Fault(line, f"is entry {entry.number}, and is out of its place")
    elif entry.before != before and line > 1:
        yield Fault(line, f"(entry {entry.number}) does not follow the entry before it")
