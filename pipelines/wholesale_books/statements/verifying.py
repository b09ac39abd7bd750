"""Verifying: whether a statement is what the warehouse says, and its files are what was noted."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wholesale.errors import ConfigurationError, one_line
from wholesale_books.book import Book
from wholesale_books.settings import folder_of
from wholesale_books.statements.making import digest_of, opened
from wholesale_books.statements.noted import Noted, set_of, statements_of, totals_of
from wholesale_books.statements.statement import SECTIONS, Statement, statements_in
from wholesale_elt.warehouse import Warehouse


class UnknownStatement(ConfigurationError):
    """No entry of the book has that proof id."""


@dataclass(frozen=True, slots=True)
class VerifiedStatement:
    """What was found of a statement: `noted` says which; `faults` name what differs, and what is
    `missing` was looked for where it was written, or where one said it is."""

    noted: Noted
    faults: Sequence[str]
    compared: Sequence[Path]
    missing: Sequence[Path]

    def as_dict(self) -> Mapping[str, object]:
        return {
            "proof": self.noted.proof,
            "of": self.noted.of,
            "id": self.noted.key,
            "from": self.noted.first,
            "as_of": self.noted.day,
            "faults": self.faults,
            "compared": self.compared,
            "missing": self.missing,
        }


def proof_in(warehouse: Warehouse, file: Path) -> str:
    """The proof id of the statement that a file is, wherever it lies: by its content, or by its
    name if somebody changed it.

    Raises: UnknownStatement; Damaged.
    """
    book, digest = Book(folder_of(warehouse)), digest_of(file)
    found = [each for _, each in statements_of(book.read())]
    for each in reversed(found):
        if digest in each.files.values():
            return each.proof
    for each in reversed(found):
        if file.name in each.files:
            return each.proof
    raise UnknownStatement(
        f"{one_line(file)} is no statement of {warehouse.name}: the book in {book.folder} has no"
        " file of that content, or that name"
    )


def verify_statement(
    warehouse: Warehouse, proof: str, held: Path | None = None
) -> VerifiedStatement:
    """Make the statement with that proof id anew from the past of the warehouse, and compare its
    proof, and its files, in the folder `held` or where they were written, with what the book says.

    Raises: UnknownStatement; Damaged; NotInPast; as `build_as_of` does.
    """
    book = Book(folder_of(warehouse))
    found = [each for _, each in statements_of(book.read()) if each.proof == proof.strip().lower()]
    if not found:
        raise UnknownStatement(
            f"no statement of {warehouse.name} has the proof id {one_line(proof)}: the book in"
            f" {book.folder} names those that were made"
        )
    last = found[-1]
    compared, missing, faults = [], [], []
    for path, digests in _files(found, held):
        if not path.exists():
            missing.append(path)
            continue
        compared.append(path)
        if digest_of(path) not in digests:
            faults.append(f"{path} was changed since it was written")
    with opened(warehouse, last.of, last.period, told=last.settings) as source:
        [now] = statements_in(source, last.key)
    return VerifiedStatement(last, [*_differences(last, now), *faults], compared, missing)


def _files(found: Sequence[Noted], held: Path | None) -> Iterator[tuple[Path, set[str]]]:
    """The files to look at, each with what it may be: in a folder that somebody holds what was
    written there before an erasure is as genuine as what was written after it."""
    if held is not None:
        digests: dict[str, set[str]] = {}
        for each in found:
            for name, digest in each.files.items():
                digests.setdefault(name, set()).add(digest)
        if held.is_dir():
            yield from ((held / name, some) for name, some in digests.items())
        else:
            yield held, digests.get(held.name) or set().union(*digests.values())
        return
    last: dict[Path, str] = {}
    for each in found:
        last |= {each.path(name): digest for name, digest in each.files.items()}
    yield from ((path, {digest}) for path, digest in last.items())


def _differences(noted: Noted, now: Statement) -> Iterator[str]:
    """Why the proof is another one, as far as it can be told."""
    if now.proof == noted.proof:
        return
    yield f"the warehouse gives the proof id {now.proof}, and not {noted.proof}"
    if now.reading.moment != noted.moment:
        yield (
            f"the first complete reading after {noted.day} began at {now.reading.moment}, and not"
            f" at {noted.moment}"
        )
    was, settings = noted.settings, set_of(now)
    for name in sorted({*was, *settings}):
        if was.get(name) != settings.get(name):
            yield (
                f"setting build.{name} is {settings.get(name, 'the default')}, and was"
                f" {was.get(name, 'the default')}"
            )
    totals = totals_of(now)
    for name in SECTIONS:
        one, other = noted.totals.get(name, (0, "0")), totals.get(name, (0, "0"))
        if tuple(one) != other:
            yield (
                f"{now.words(name)[0].lower()}: {other[0]:,} orders of {other[1]}, and not"
                f" {one[0]:,} of {one[1]}"
            )
