"""Closing: pins the version in force as that of a month, or says why it cannot be; ends a close.

The pin comes first, then the file, then the entry, each on the disk before the next: without its
entry no month is closed, and the next command removes what is left.
"""

import re
import shutil
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from hashlib import sha256
from pathlib import Path

import duckdb
import msgspec

from wholesale.errors import ConfigurationError, WholesaleError
from wholesale_books.book import Book
from wholesale_books.certifying import folder_in, orders_as_of, require_certified, require_over
from wholesale_books.closed_file import write_closed_file
from wholesale_books.counting import Counted, count_month, metrics_of_a_month
from wholesale_books.months import (
    CLOSED,
    FOLDER,
    REOPENED,
    Closed,
    ClosedFile,
    ClosedMonth,
    Reopened,
    all_closes,
    closes_in,
    file_name,
    first_day,
)
from wholesale_books.settings import folder_of
from wholesale_elt.figures import known_days, read_metrics
from wholesale_elt.models import read_added, read_once
from wholesale_elt.process import replace
from wholesale_elt.publish import (
    Folder,
    Manifest,
    describe_file,
    find_site,
    pin_version,
    unpin_versions,
)
from wholesale_elt.verification import verify
from wholesale_elt.warehouse import Warehouse, open_file

OWNER = "books"
"""Who pins the versions of closed months."""
SPILL, LEFT = "tmp", re.compile(r"\.?\d{4}-\d\d\.\d+\.duckdb(\..*)?", re.ASCII)
"""How that is called which is beside a file while it is made, and the file itself."""


@read_once()
def close_month(
    warehouse: Warehouse, published: Path, month: str, *, by: str, note: str | None = None
) -> tuple[ClosedMonth, bool]:
    """Close a month by the version in force; with whether it was not closed by that before.

    Raises: ConfigurationError for a month that cannot be closed, for what is no folder, or is
    closed by another version; NotCertified; NotPublished; Damaged; Unanswerable for metrics that
    cannot be counted in that version; AlreadyRunning.
    """
    warehouse.require()
    folder, first = folder_in(published), first_day(month)
    manifest = find_site(folder).manifest
    book = Book(folder_of(warehouse))
    if done := _closed_before(all_closes(book), month, manifest):
        return done, False
    with open_file(folder / manifest.database.path) as connection:
        require_certified(connection, manifest)
        require_over(connection, manifest, first)
        counted = count_month(connection, month, metrics_of_a_month())
        about = _tell(connection, manifest, month, note, counted)
    with book.locked():
        closes = all_closes(book)
        if done := _closed_before(closes, month, manifest):
            return done, False
        _remove_left(book, closes)
        _pin(folder, manifest.version, closes)
        about = _with_file(about, book, folder / manifest.database.path, closes)
        entry = book.add(CLOSED, by, about)
    return closes_in([entry], book.folder)[0], True


def reopen_month(
    warehouse: Warehouse, published: Path, month: str, *, by: str, reason: str
) -> ClosedMonth:
    """End the close of a month: its version goes as any other then.

    Raises: ConfigurationError for a month that is not closed; Damaged; AlreadyRunning.
    """
    first_day(month)
    folder, book = folder_in(published), Book(folder_of(warehouse))
    _require_closed(all_closes(book), month)
    store = Folder(folder, Manifest.of)
    with book.locked(), store.locked() if store.has_versions() else nullcontext():
        found = _require_closed(all_closes(book), month)
        entry = book.add(REOPENED, by, Reopened(month=month, number=found.number, reason=reason))
        closes = all_closes(book)
        _remove_left(book, closes)
        unpin_versions(folder, OWNER, _versions(closes))
    return next(each for each in closes if each.reopened == entry)


def _closed_before(
    closes: Sequence[ClosedMonth], month: str, manifest: Manifest
) -> ClosedMonth | None:
    """The close of the month by this version.

    Raises: ConfigurationError if it is closed by another one, or if the book is of another service.
    """
    for each in closes:
        if each.about.source != manifest.source:
            raise ConfigurationError(
                "the version in force is of another service or part than that of entry"
                f" {each.entry.number} of the book: name the folder of this warehouse by"
                " --published"
            )
    found = _in_force(closes, month)
    if found and found.version != manifest.version:
        raise ConfigurationError(
            f"{month} is closed already, by version {found.version}, and in force is"
            f" {manifest.version}: `wholesale close {month} --reopen REASON` first"
        )
    return found


def _in_force(closes: Sequence[ClosedMonth], month: str) -> ClosedMonth | None:
    return next((each for each in closes if each.name == month and not each.reopened), None)


def _require_closed(closes: Sequence[ClosedMonth], month: str) -> ClosedMonth:
    if found := _in_force(closes, month):
        return found
    raise ConfigurationError(
        f"{month} is not closed, so there is nothing to reopen: `wholesale close` lists what is"
    )


def _tell(
    connection: duckdb.DuckDBPyConnection,
    manifest: Manifest,
    month: str,
    note: str | None,
    counted: Counted,
) -> Closed:
    """What the entry tells, but for the file."""
    first = first_day(month)
    as_of, _ = orders_as_of(connection, first, manifest.time_zone)
    assert as_of  # else the month is refused
    settings = _row(connection, "wholesale_marts.dim_settings")
    return Closed(
        month=month,
        number=0,
        source=manifest.source,
        version=manifest.version,
        as_of=manifest.as_of,
        figures_up_to=f"{known_days(connection).figures_up_to}",
        orders_as_of=as_of.isoformat(),
        verdict=manifest.verdict,
        note=note,
        file=ClosedFile("", 0, ""),
        figures=counted.figures,
        notes=[*counted.notes, *map(str, manifest.unknown_states)],
        currency=manifest.currency,
        time_zone=manifest.time_zone,
        settings={name: value for name, value in settings.items() if name != "build_key"},
        definitions={
            "build_key": settings["build_key"] or "",
            "metrics": _digest_of_metrics(),
            "own": read_added().digest,
        },
        digests=manifest.digests,
        software=manifest.software,
    )


def _row(connection: duckdb.DuckDBPyConnection, table: str) -> Mapping[str, str | None]:
    found = connection.execute(f"select * from {table}")
    names = [column[0] for column in found.description]
    (row,) = found.fetchall()
    return {
        name: None if value is None else str(value) for name, value in zip(names, row, strict=True)
    }


def _digest_of_metrics() -> str:
    told = [(name, metric.model, metric.expression) for name, metric in read_metrics().items()]
    return sha256(msgspec.json.encode(told)).hexdigest()


def _pin(folder: Path, version: str, closes: Sequence[ClosedMonth]) -> None:
    """Pin a whole version, and take the pins away that a killed command left."""
    with Folder(folder, Manifest.of).locked():
        for found in verify(folder, version).findings:
            raise WholesaleError(
                f"{found.what}: {found.reason}, so version {version} is not what was published:"
                f" `wholesale verify --version {version}` names all, and the next publication is"
                " another one"
            )
        unpin_versions(folder, OWNER, [version, *_versions(closes)])
        pin_version(folder, version, OWNER)


def _versions(closes: Sequence[ClosedMonth]) -> Sequence[str]:
    """Those that are to stay."""
    return [each.version for each in closes if not each.reopened]


def _with_file(about: Closed, book: Book, database: Path, closes: Sequence[ClosedMonth]) -> Closed:
    """The same with a number and its file, in which the same is counted.

    Raises: ConfigurationError for a metric that counts what the file must not have.
    """
    number = 1 + sum(each.name == about.month for each in closes)
    path = book.folder / FOLDER / file_name(about.month, number)
    path.parent.mkdir(exist_ok=True)
    replace(path, lambda partial: write_closed_file(database, partial))
    with open_file(path) as connection:
        counted = count_month(connection, about.month, about.figures)
    for name, value in counted.figures.items():
        if value != about.figures[name]:
            path.unlink()
            raise ConfigurationError(
                f"metric {name} is {about.figures[name]} in version {about.version}, and {value}"
                " without what names a person or a company that buys, which the file of a close"
                " must not have: count keys in [build] metrics, or leave it out"
            )
    file = describe_file(path.parent, path)
    return msgspec.structs.replace(
        about, number=number, file=ClosedFile(path.name, file.bytes, file.sha256)
    )


def _remove_left(book: Book, closes: Sequence[ClosedMonth]) -> None:
    """Remove what a killed command left beside the files of closes."""
    known = {each.file for each in closes}
    for path in (book.folder / FOLDER).glob("*"):
        if path.is_dir() and path.name.startswith(SPILL):
            shutil.rmtree(path)
        elif LEFT.fullmatch(path.name) and path not in known:
            path.unlink()
