"""A statement is found to be what the warehouse says, or what differs is named; an erasure takes
the name from it, and neither an amount nor its proof."""

import json

import pytest

from support.records.samples import guid
from support.warehouses.owing import Business, day_of
from wholesale.errors import ConfigurationError
from wholesale_books.statements.noted import statements_of
from wholesale_books.statements.verifying import proof_in, verify_statement
from wholesale_erasure.erasing import erase
from wholesale_erasure.receipt import verify

pytestmark = pytest.mark.slow


def test_what_differs_is_named(business: Business, monkeypatch: pytest.MonkeyPatch) -> None:
    business.placed("a", 40)
    business.placed("b", 20)
    business.read()
    business.pass_days(10)
    made = business.one(days_ago=11)
    proof, warehouse = made.statement.proof, business.loader.warehouse
    business.put("a", total="99")
    business.read()
    [path] = (business.folder / "out").iterdir()

    found = verify_statement(warehouse, proof)
    assert (found.faults, found.compared, found.missing) == ([], [path], [])

    moved = path.rename(business.folder / path.name)
    assert verify_statement(warehouse, proof).missing == [path]
    assert proof_in(warehouse, moved) == proof
    moved.write_bytes(moved.read_bytes().replace(b"10.5", b"11.5", 1))
    found = verify_statement(warehouse, proof, held=moved)
    assert [fault.split()[0] for fault in found.faults] == [str(moved)]
    assert proof_in(warehouse, moved) == proof
    with pytest.raises(ConfigurationError):
        proof_in(warehouse, moved.rename(moved.with_name("another.csv")))
    moved.with_name("another.csv").rename(moved)

    monkeypatch.setenv("BUILD__OVERDUE_DAYS", "7")
    faults = " ".join(verify_statement(warehouse, proof, held=business.folder).faults)
    assert "build.overdue_days" in faults
    monkeypatch.delenv("BUILD__OVERDUE_DAYS")
    business.loader.execute("update orders__past set total = 12 where order_number = 'a'")
    faults = " ".join(verify_statement(warehouse, proof, held=business.folder).faults)
    assert "2 orders of 22.5, and not 2 of 21" in faults

    with pytest.raises(ConfigurationError):
        verify_statement(warehouse, "0" * 16)


def test_a_file_is_verified_wherever_it_lies(business: Business) -> None:
    business.placed("a", 20)
    business.read()
    business.pass_days(10)
    words = ("--as-of", f"{day_of(11)}", "--format", "csv", "--to", str(business.folder / "out"))
    by_name = business.run("statement", "--buyer", "shop b1", *words)
    assert by_name.exit_code == 2
    assert guid("B1") in by_name.output
    assert business.run("statement", "--buyer", guid("B1"), *words).exit_code == 0
    [file] = (business.folder / "out").iterdir()

    sent = business.folder / "sent.csv"
    sent.write_bytes(file.read_bytes())
    assert business.run("verify", str(sent)).exit_code == 0
    file.write_bytes(file.read_bytes().replace(b"10.5", b"11.5", 1))
    assert business.run("verify", str(file)).exit_code == 1
    sent.write_bytes(file.read_bytes())
    assert business.run("verify", str(sent)).exit_code == 2


def test_an_erasure_takes_the_name_and_leaves_the_rest(business: Business) -> None:
    business.placed("a", 40, total="12.25")
    business.placed("b", 20, buyer_id=guid("B2"))
    business.read()
    buyers = business.made(party=None, to="buyers", formats=("csv", "xlsx", "pdf"))
    vendor = business.one(of="vendor", party="V1", to="vendor")
    mine, other = sorted(buyers, key=lambda made: made.statement.party != guid("B1"))
    folder = business.folder / "buyers"
    csv, workbook, pdf = (folder / f"{mine.statement.stem}.{end}" for end in ("csv", "xlsx", "pdf"))
    others = {name: (folder / name).read_bytes() for name in other.noted.files}
    [of_vendor] = (business.folder / "vendor").iterdir()
    before, before_vendor = csv.read_text("utf-8-sig"), of_vendor.read_text("utf-8-sig")
    workbook.rename(business.folder / workbook.name)
    pdf.write_bytes(b"mine")
    entries = len(business.entries())

    receipt = erase(business.loader.warehouse, guid("B1"))

    assert verify(receipt, business.loader.warehouse) == []
    assert "Shop B1" in before
    after = csv.read_text("utf-8-sig")
    assert after == before.replace("Shop B1", "").replace("PO-a", "")
    after = of_vendor.read_text("utf-8-sig")
    assert after == before_vendor.replace("PO-a", "")
    assert {name: (folder / name).read_bytes() for name in others} == others
    assert pdf.read_bytes() == b"mine"
    assert not workbook.exists()
    told = receipt.elsewhere
    assert [str(path) in " ".join(told) for path in (workbook, pdf, csv)] == [True, True, False]

    new = [noted for _, noted in [*statements_of(business.entries())][entries:]]
    assert [(each.of, each.proof, each.why) for each in new] == [
        ("buyer", mine.statement.proof, "erasure"),
        ("vendor", vendor.statement.proof, "erasure"),
    ]
    found = verify_statement(business.loader.warehouse, new[0].proof)
    assert (found.missing, [fault.split()[0] for fault in found.faults]) == ([workbook], [str(pdf)])
    assert "Shop" not in json.dumps([entry.about for entry in business.entries()])
