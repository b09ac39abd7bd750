"""Months are closed, and statements made, whatever the destination; each account has a book of its
own, whatever is erased."""

import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from support.records.samples import guid, order
from support.warehouses.closing import Accounting
from support.warehouses.destinations import Place
from support.warehouses.marts import Marts
from support.warehouses.places import place_in, socket
from wholesale.api import RESOURCE
from wholesale_books.book import Book
from wholesale_books.closing import close_month
from wholesale_books.settings import folder_of
from wholesale_books.statements.making import make
from wholesale_books.statements.moment import Period
from wholesale_books.statements.verifying import verify_statement
from wholesale_books.verifying import verify_book
from wholesale_elt.load.copies.copying import copy_warehouse
from wholesale_elt.models.build import build_models
from wholesale_elt.publish.pins import pins_in
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_erasure.erasing import erase
from wholesale_sandbox.server import Sandbox

__all__ = ["place_in", "socket"]


def test_each_account_has_a_book_of_its_own(accounting: Accounting, tmp_path: Path) -> None:
    month, folders = accounting.months[0], {}
    for name in ("east", "west"):
        warehouse = Warehouse(tmp_path / f"{name}.duckdb")
        shutil.copy(accounting.warehouse.database, warehouse.database)
        accounting.copy(tmp_path / name)
        folders[name] = folder_of(warehouse)
    east, west = (Accounting(tmp_path / name) for name in folders)
    west.tell(source="the service of another account")

    close_month(Warehouse(tmp_path / "east.duckdb"), east.published, month, by="Ann")

    assert folders == {name: tmp_path / "books" / f"{name}.duckdb" for name in folders}
    assert len(Book(folders["east"]).read()) == 1
    assert Book(folders["west"]).read() == ()
    assert (len(pins_in(east.published)), len(pins_in(west.published))) == (1, 0)
    where = ["--database", str(tmp_path / "east.duckdb"), "--published", str(west.published)]
    assert west.run("close", west.months[1], *where).code == 2  # the other account's folder
    assert len(Book(folders["east"]).read()) == 1


def test_the_setting_names_another_folder(
    accounting: Accounting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOOKS__FOLDER", str(tmp_path / "safe"))
    assert accounting.run("close", accounting.months[0]).code == 0
    assert (tmp_path / "safe" / "wholesale.duckdb" / "book.jsonl").exists()
    assert not (accounting.folder / "books").exists()


@pytest.mark.slow
def test_an_erasure_takes_the_version_and_leaves_every_figure(
    accounting: Accounting, built: Marts
) -> None:
    accounting.warehouse.database.unlink()
    shutil.copy(built.database, accounting.warehouse.database)
    month, version = accounting.months[0], accounting.manifest.version
    assert accounting.run("close", month).code == 0
    before, [closed] = accounting.files, accounting.closes
    with duckdb.connect(str(accounting.warehouse.database), read_only=True) as connection:
        ((buyer, name, email),) = connection.execute(
            "select id, company_name, email from wholesale_raw.buyers"
            " where company_name <> '' and email <> '' order by id limit 1"
        ).fetchall()

    receipt = erase(accounting.warehouse, buyer, [str(accounting.published)])

    assert receipt.unpinned == [version]
    assert receipt.is_genuine
    assert pins_in(accounting.published) == {}
    assert [path.name for path in (accounting.published / "versions").iterdir()] == [
        accounting.manifest.version
    ]
    assert accounting.files == before
    assert not any(
        value.encode() in content for value in (name, email) for content in before.values()
    )
    verified = accounting.run("verify", "--book")
    assert (verified.code, verified.answer["findings"]) == (0, [])
    assert accounting.closes == [closed]
    assert accounting.run("close", month, "--reopen", "why").code == 0


@pytest.mark.slow
def test_a_month_of_a_warehouse_in_postgres_is_closed(
    place_in: Callable[[str], Place], sandbox: Sandbox, tmp_path: Path
) -> None:
    first = (datetime.now(UTC).replace(day=1) - timedelta(days=1)).replace(day=1)
    sandbox.put("buyers", {"id": guid("B"), "company_name": "Zq Company"})
    for number in range(3):
        at = (first - timedelta(days=40 * (number > 1))).isoformat()
        sandbox.put(
            "orders",
            order(f"A{number}", buyer_id=guid("B"), created_at=at, updated_at=at),
        )
    place, published = place_in("postgres"), tmp_path / "published"
    assert place.load(*RESOURCE).is_complete
    build_models(place.warehouse)
    publish_marts(place.warehouse, str(published))

    closed, is_new = close_month(place.warehouse, published, f"{first:%Y-%m}", by="Ann")

    assert is_new
    assert closed.figures["orders"] == "2"
    assert b"Zq Company" not in closed.file.read_bytes()
    book = Book(folder_of(place.warehouse))
    found = verify_book(book, published)
    assert (found.entries, found.closes, found.findings) == (1, 1, [])
    assert {*pins_in(published)} == {closed.version}


@pytest.mark.slow
def test_statements_of_a_warehouse_in_postgres_are_those_of_its_copy(
    place_in: Callable[[str], Place], sandbox: Sandbox, tmp_path: Path
) -> None:
    stamps = {"created_at": "2020-01-01T00:00:00Z", "updated_at": "2020-01-01T00:00:00Z"}
    sandbox.put("vendors", {"id": guid("V"), "name": "Maker", "order_terms": "Net 10", **stamps})
    for name in ("B", "C"):
        sandbox.put("buyers", {"id": guid(name), "company_name": f"Shop {name}", **stamps})
    for number, (status, paid) in enumerate(
        (("shipped", "unpaid"), ("shipped", "paid"), ("received", "unpaid"))
    ):
        at = (datetime.now(UTC) - timedelta(days=50 - number)).isoformat()
        state = {"status": status, "payment_status": paid, "created_at": at, "updated_at": at}
        parties = {"vendor_id": guid("V"), "buyer_id": guid("C" if number == 2 else "B")}
        total = {"sub_total": f"1{number}.505", "total": f"1{number}.505"}
        sandbox.put("orders", order(f"A{number}", **parties, **state, **total))
    place, copied = place_in("postgres"), Warehouse(tmp_path / "copy" / "w.duckdb")
    assert place.load(*RESOURCE).is_complete
    copied.database.parent.mkdir()
    copy_warehouse(place.warehouse, copied)
    today = datetime.now(UTC).date()
    period = Period(today - timedelta(days=60), today - timedelta(days=1))

    files = []
    for number, warehouse in enumerate((place.warehouse, copied)):
        folder, formats = tmp_path / f"out {number}", ("csv", "xlsx", "pdf")
        made = [*make(warehouse, "buyer", None, period, folder, formats, "ann")]
        files.append({path.name: path.read_bytes() for path in folder.iterdir()})
        assert [
            (each.statement.party, each.statement.totals["owed"].amount) for each in made
        ] == sorted([(guid("B"), Decimal("10.505")), (guid("C"), Decimal(0))])
        for each in made:
            found = verify_statement(warehouse, each.statement.proof)
            assert (found.faults, len(found.compared)) == ([], 3)
    assert len(files[0]) == 6
    assert files[0] == files[1]
