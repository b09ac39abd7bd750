"""`wholesale close`: closes a month; `wholesale verify` of a month, a statement, and the book."""

import re
from collections.abc import Callable
from copy import copy
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wholesale_books.telling import closed_document, say_closable, say_closed
from wholesale_elt.cli import (
    Exit,
    Failure,
    Output,
    all_of,
    json_option,
    published_option,
    say,
    warehouse_boundary,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wholesale_books.verifying import BookVerified
    from wholesale_elt.warehouse import Warehouse

MONTH = "YYYY-MM"
PROOF = re.compile(r"[0-9a-f]{16}", re.IGNORECASE)
"""The proof id of a statement."""
FILES = (".csv", ".xlsx", ".pdf")
"""How files of statements end."""
MORE = (
    "HELD may be a closed month, too, such as 2026-10; or the proof id of a statement, or a file"
    " of it."
)


def _words(_: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Raises: BadParameter for words that are none."""
    if value is None:
        return None
    if not value.strip():
        raise click.BadParameter(f"it is empty: write {parameter.metavar}")
    return value.strip()


@click.command(short_help="Close a month, so that what it was stays known.")
@click.argument("month", required=False, metavar=f"[{MONTH}]")
@click.option("--note", metavar="TEXT", callback=_words, help="What to say of it in the book.")
@click.option(
    *("--by", "signer"),
    metavar="NAME",
    callback=_words,
    help="Who closes it.  [default: the user of the system]",
)
@click.option(
    *("--reopen", "reason"),
    metavar="REASON",
    callback=_words,
    help="End the close of the month, and say why; it can be closed again then.",
)
@published_option
@json_option
@warehouse_boundary
def close(
    output: Output,
    warehouse: "Warehouse",
    month: str | None,
    note: str | None,
    signer: str | None,
    reason: str | None,
    published: Path,
) -> Failure | None:
    """Close a month by the version in force: the version is kept, and an entry of the book says
    what every metric of the month was. Nothing of it is ever removed.

    The month must be over, and the version certified complete after its end. Without a month: which
    are closed, and which could be.
    """
    from wholesale_books.certifying import NotCertified

    if month is None:
        if note or signer or reason:
            raise click.UsageError(f"name the month: wholesale close {MONTH}")
        _list(output, warehouse, published)
        return None
    if note and reason:
        raise click.UsageError("--note is of a close, and --reopen ends one: name one of them")
    try:
        if reason:
            _reopen(output, warehouse, published, month, signer or _user(), reason)
        else:
            _close(output, warehouse, published, month, signer or _user(), note)
    except NotCertified as error:
        return Failure(f"{month} is not closed: {error}", Exit.INCOMPLETE)
    return None


def _close(
    output: Output,
    warehouse: "Warehouse",
    published: Path,
    month: str,
    by: str,
    note: str | None,
) -> None:
    from wholesale_books.closing import close_month

    closed, is_new = close_month(warehouse, published, month, by=by, note=note)
    output.answer({**closed_document(closed), "is_new": is_new})
    if not is_new:
        say(output.console(), f"{month} is closed already by this version: nothing is added")
    say_closed(output, closed)
    say(output.console(), f"the digest of entry {closed.entry.number} is {closed.entry.digest}")


def _reopen(
    output: Output, warehouse: "Warehouse", published: Path, month: str, by: str, reason: str
) -> None:
    from wholesale_books.closing import reopen_month

    found = reopen_month(warehouse, published, month, by=by, reason=reason)
    output.answer(closed_document(found))
    assert found.reopened
    say(
        output.console(),
        f"{month} is open again (entry {found.reopened.number}): version {found.version} goes as"
        f" any other then, and {found.file.name} stays",
    )


def _list(output: Output, warehouse: "Warehouse", published: Path) -> None:
    from wholesale_books.book import Book
    from wholesale_books.certifying import standing_of
    from wholesale_books.months import closed_months
    from wholesale_books.settings import folder_of

    warehouse.require()
    closed = closed_months(Book(folder_of(warehouse)))
    standing = standing_of(published)
    months = {each.month for each in closed}
    free = [f"{each:%Y-%m}" for each in standing.months if each not in months]
    output.answer(
        {
            "closed": [closed_document(each) for each in closed],
            "closable": free,
            "version": standing.version,
            "reason": standing.reason,
        }
    )
    for each in closed:
        say_closed(output, each)
    say_closable(output, standing, free)


def _user() -> str:
    """The user of the operating system, or the number of one without a name."""
    import getpass
    import os

    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):
        return f"user {os.getuid()}"


def verify(command: click.Command) -> click.Command:
    """`wholesale verify`, also of a month, a statement, and the book."""
    alone: Callable[..., Any] = command.callback  # type: ignore[assignment]

    def either(**given: Any) -> Any:
        from wholesale_books.months import MONTH as WRITTEN

        held, is_book = given["held"], given.pop("is_book")
        is_statement = _is_named(held, PROOF) or _is_file(held)
        if not (is_book or is_statement or _is_named(held, WRITTEN)):
            return alone(**given)
        if is_book and held:
            raise click.UsageError("name a month, a statement or --book, not two of them")
        if given.pop("version") or given.pop("is_of_warehouse"):
            raise click.UsageError(
                "--version and --warehouse do not go with a month, a statement or --book"
            )
        return (_verify_statement if is_statement else _verify)(**given)

    extended = copy(command)
    extended.params, extended.callback = [], either
    book = click.option(
        *("--book", "is_book"),
        is_flag=True,
        help="Look at the book: is every entry there, and every closed month what it was?",
    )
    all_of(book)(extended)
    extended.params = [*command.params[:1], *extended.params, *command.params[1:]]
    extended.help = f"{cleandoc(command.help or '')}\n\n{MORE}"
    return extended


def _is_named(held: Path | None, pattern: re.Pattern[str]) -> bool:
    """Whether this is a name, and no file."""
    return held is not None and bool(pattern.fullmatch(str(held))) and not held.exists()


def _is_file(held: Path | None) -> bool:
    return held is not None and held.suffix.lower() in FILES and held.is_file()


@warehouse_boundary
def _verify_statement(
    output: Output, warehouse: "Warehouse", held: Path, published: Path
) -> Failure | None:
    from wholesale_books.statements import proof_in, verify_statement

    file = held if _is_file(held) else None
    proof = proof_in(warehouse, file) if file else str(held)
    found = verify_statement(warehouse, proof, file)
    output.answer(found.as_dict())
    for path in found.missing:
        say(output.console(), f"{path} is not there, and was not compared")
    for fault in found.faults:
        say(output.console(), fault)
    if found.faults:
        return Failure(f"statement {proof} is not what was made", Exit.FAILED)
    count = len(found.compared)
    files = "1 file is as it was" if count == 1 else f"{count:,} files are as they were"
    say(
        output.console(),
        f"statement {proof} of {found.noted.of} {found.noted.key} as of {found.noted.day}: the"
        f" warehouse still says this, and {files} written",
    )
    return None


@warehouse_boundary
def _verify(
    output: Output, warehouse: "Warehouse", held: Path | None, published: Path
) -> Failure | None:
    from wholesale.errors import counted
    from wholesale_books.book import Book
    from wholesale_books.months import first_day
    from wholesale_books.settings import folder_of
    from wholesale_books.verifying import verify_book

    month, book = first_day(str(held)) if held else None, Book(folder_of(warehouse))
    if not book.folder.exists():
        warehouse.require()
    found = verify_book(book, published, month)
    output.answer(_found(found))
    for finding in found.findings:
        say(output.console(), f"{finding.what}: {finding.reason}")
    for note in found.notes:
        say(output.console(), note)
    if found.findings:
        return Failure("the book is not what was written", Exit.FAILED)
    many = "entry" if found.entries == 1 else "entries"
    say(
        output.console(),
        f"{found.entries:,} {many} of the book and {counted(found.closes, 'close')} looked at: all"
        " as they were written",
    )
    if found.unknown:
        return Failure(f"not known: {'; '.join(found.unknown)}", Exit.INCOMPLETE)
    return None


def _found(found: "BookVerified") -> "Mapping[str, object]":
    return {
        "entries": found.entries,
        "closes": found.closes,
        "findings": [{"what": each.what, "reason": each.reason} for each in found.findings],
        "unknown": found.unknown,
        "notes": found.notes,
    }
