"""Closes: a month is closed by what is published, without a look at whether it may be."""

from collections.abc import Mapping
from datetime import date
from hashlib import sha256
from pathlib import Path

import duckdb

from wholesale_books.book import Book
from wholesale_books.closed_file import write_closed_file
from wholesale_books.counting import count_month, metrics_of_a_month
from wholesale_books.months import CLOSED, FOLDER, REOPENED, Closed, ClosedFile, Reopened, file_name
from wholesale_books.settings import folder_of
from wholesale_elt.publish import find_site
from wholesale_elt.warehouse.destination import Warehouse


def close_month(warehouse: Warehouse, published: Path, month: str, number: int = 1) -> None:
    site, book = find_site(published), Book(folder_of(warehouse))
    file = book.folder / FOLDER / file_name(month, number)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_closed_file(site.database, file)
    content = file.read_bytes()
    manifest = site.manifest
    about = Closed(
        month=month,
        number=number,
        source=manifest.source,
        version=manifest.version,
        as_of=manifest.as_of,
        figures_up_to=str(date.max),
        orders_as_of=manifest.as_of or "",
        verdict=manifest.verdict,
        note="as agreed",
        file=ClosedFile(file.name, len(content), sha256(content).hexdigest()),
        figures=figures_of(site.database, month),
        notes=(),
        currency=manifest.currency,
        time_zone=manifest.time_zone,
        settings={},
        definitions={},
        digests={},
        software=manifest.software,
    )
    with book.locked():
        book.add(CLOSED, "anna", about)


def reopen_month(warehouse: Warehouse, month: str, number: int = 1) -> None:
    book = Book(folder_of(warehouse))
    with book.locked():
        book.add(
            REOPENED, "anna", Reopened(month=month, number=number, reason="an invoice was missing")
        )


def figures_of(database: Path, month: str) -> Mapping[str, str | None]:
    """Each metric that has a value of a month."""
    with duckdb.connect(str(database), read_only=True) as connection:
        return count_month(connection, month, metrics_of_a_month()).figures
