"""A statement lists what was open at the end of a day, and what was paid before it: once, exact,
and the same bytes for ever."""

import csv
import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from random import Random

import pypdf
import pytest

from support.few import few
from support.records.samples import guid
from support.warehouses.marts import Marts
from support.warehouses.owing import Business, day_of
from support.warehouses.workbooks import read_workbook
from wholesale.errors import ConfigurationError
from wholesale_books.statements.making import FORMATS, Made
from wholesale_books.statements.moment import NotYet
from wholesale_books.statements.noted import statements_of
from wholesale_books.statements.rows import Kind
from wholesale_elt.past import NotInPast

pytestmark = pytest.mark.slow
ALL = tuple(FORMATS)
PARTIES: tuple[tuple[Kind, str], ...] = (("buyer", "B1"), ("vendor", "V1"))
AGAIN = """
import sys
from pathlib import Path
from datetime import date
from wholesale_books.statements.making import FORMATS, make
from wholesale_books.statements.moment import Period
from wholesale_elt.warehouse import Warehouse

database, folder, day, party = sys.argv[1:]
period = Period.until(date.fromisoformat(day))
list(make(Warehouse(Path(database)), "buyer", party, period, Path(folder), FORMATS, "ann"))
"""


def names(made: Made) -> dict[str, list[str | None]]:
    return {
        section: [order.order_number for order in orders]
        for section, orders in made.statement.sections.items()
    }


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_what_is_open_is_listed_by_how_it_stands_and_only_what_has_a_meaning_is_summed(
    business: Business,
) -> None:
    business.placed("late", 75)
    business.placed("due", 9, total="20.123456789")
    business.placed("untold", 3, total=None, sub_total=None)
    business.placed("unsent", 5, status="received")
    business.placed("return", 5, total="-7")
    business.placed("odd", 5, payment_status="somehow")
    business.placed("odd too", 5, status="somewhere")
    business.placed("cancelled", 5, status="cancelled")
    business.placed("settled", day_of(1).day + 20, payment_status="paid")
    business.placed("other", 5, buyer_id=guid("B2"))
    business.placed("today", 0)
    business.read()

    made = business.one()

    assert names(made) == {
        "owed": ["late", "due", "untold"],
        "unsent": ["unsent"],
        "credit": ["return"],
        "unknown": ["odd", "odd too"],
    }
    owed = made.statement.sections["owed"]
    assert [
        (each.due_date, each.due_from, each.due_bucket, each.days_overdue, each.age_bucket)
        for each in owed
    ] == [
        (day_of(65), "ordered", "61-90", 64, "61-90"),
        (day_of(-1), "ordered", "not due", 0, "0-30"),
        (day_of(-7), "ordered", "not due", 0, "0-30"),
    ]
    totals = made.statement.totals
    assert {
        name: (each.count, each.amount, each.without_amount) for name, each in totals.items()
    } == {
        "owed": (3, Decimal("30.623456789"), 1),
        "unsent": (1, Decimal("10.5"), 0),
        "credit": (1, Decimal(-7), 0),
        "unknown": (2, Decimal(21), 0),
        "settled": (0, Decimal(0), 0),
    }
    assert (made.statement.overdue.count, made.statement.overdue.amount) == (1, Decimal("10.5"))
    assert made.statement.name == "Shop B1"


def test_the_sums_are_those_of_the_reports(business: Business) -> None:
    for number in range(30):
        status = ("shipped", "delivered", "received", "cancelled", "odd")[number % 5]
        paid = ("unpaid", "paid", "part")[number % 3]
        total = -5 if number == 9 else number
        business.placed(f"n{number}", number, status=status, payment_status=paid, total=total)
    business.read()
    made = business.one(days_ago=2)
    Marts(business.loader.warehouse.database).build("rpt_receivables", "rpt_orders")
    statement = made.statement
    day = f"date '{day_of(2)}'"
    of_buyer = f"buyer_id = '{guid('B1')}' and ordered_date <= {day}"
    [reported] = business.loader.rows(
        "select count(*) filter (is_open), sum(total) filter (is_open)"
        f" from wholesale_bi.rpt_receivables where {of_buyer}"
    )
    [everything] = business.loader.rows(
        "select count(*) filter (is_open), sum(total) filter (is_open), count(*) filter"
        f" (payment_standing = 'unknown') from wholesale_bi.rpt_orders where {of_buyer}"
    )
    owed, unknown = statement.totals["owed"], statement.sections["unknown"]
    known = [order for order in unknown if order.payment_status == "unpaid"]
    assert (owed.count, owed.amount) == reported
    still = [order for name in ("owed", "unsent", "credit") for order in statement.sections[name]]
    assert (len(still) + len(known), len(unknown) - len(known)) == (everything[0], everything[2])
    assert sum(order.amount or 0 for order in [*still, *known]) == everything[1]


def test_a_payment_is_in_the_period_in_which_it_was_seen_and_in_no_other(
    business: Business,
) -> None:
    """Read 60, 40, 20 and 0 days ago."""
    for number in range(4):
        business.placed(f"o{number}", 90 + number)
    business.placed("back", 95, payment_status="paid")
    business.placed("gone", 95)
    business.read()
    business.pass_days(20)
    business.put("o0", payment_status="paid")
    business.put("back", payment_status="refunded")
    business.placed("quick", 45, payment_status="paid")
    business.read()
    business.pass_days(20)
    business.put("o1", payment_status="paid")
    business.put("gone", status="cancelled")
    business.read()
    business.pass_days(20)
    business.put("o2", payment_status="paid")
    business.read()

    def made(days_ago: int, since: int) -> dict[str, list[str | None]]:
        return names(business.one(days_ago=days_ago, since=since))

    assert made(61, 70) == {"owed": ["gone", "o3", "o2", "o1", "o0"]}
    assert made(41, 60) == {
        "owed": ["gone", "o3", "o2", "o1"],
        "settled": ["o0", "quick"],
        "refunded": ["back"],
    }
    assert made(21, 40) == {"owed": ["o3", "o2"], "settled": ["o1"], "cancelled": ["gone"]}
    assert made(1, 20) == {"owed": ["o3"], "settled": ["o2"]}

    vendor = business.one(of="vendor", party="V1", days_ago=41, since=60)
    assert names(vendor) == {
        "owed": ["gone", "o3", "o2", "o1"],
        "settled": ["o0", "quick"],
        "refunded": ["back"],
        "ordered": ["quick"],
    }
    assert [each.seen_date for each in vendor.statement.sections["settled"]] == [day_of(40), None]


@pytest.mark.parametrize("seed", few(range(12), 1))
def test_whatever_happens_after_the_day_the_statement_is_the_same_bytes(
    business: Business, seed: int
) -> None:
    """Edits, deletions, late orders, other names and terms; made elsewhere, in another process."""
    random = Random(seed)
    for number in range(12):
        status, paid = random.choice(("shipped", "received")), random.choice(("unpaid", "paid"))
        business.placed(f"o{number}", 2 + number * 9, status=status, payment_status=paid)
    business.read()
    first = business.one(to="first", formats=ALL)
    for _ in range(2):
        for _ in range(4):
            _happen(business, random)
        business.read()

    again = business.one(to="again", formats=ALL)
    elsewhere = business.folder / "elsewhere"
    elsewhere.mkdir()
    subprocess.run(
        [
            *(sys.executable, "-c", AGAIN, business.loader.warehouse.database),
            *(business.folder / "third", str(day_of(1)), guid("B1")),
        ],
        cwd=elsewhere,
        env={"PYTHONHASHSEED": str(seed + 1)},
        check=True,
    )

    assert again.statement.proof == first.statement.proof
    assert contents(business.folder / "again") == contents(business.folder / "first")
    assert contents(business.folder / "third") == contents(business.folder / "first")


def _happen(business: Business, random: Random) -> None:
    name = random.choice([*business.orders])
    match random.randrange(7):
        case 0:
            business.put(name, total=str(random.randrange(1, 900)))
        case 1:
            business.put(name, payment_status=random.choice(("paid", "unpaid", "refunded")))
        case 2:
            business.put(name, status=random.choice(("cancelled", "delivered")))
        case 3:
            business.sandbox.delete("orders", guid(name))
        case 4:
            business.placed(f"late {random.random()}", random.randrange(2, 60))
        case 5:
            business.put(name, buyer_id=guid("B2"))
        case _:
            business.rename("B1", f"Other {random.random()}", terms=f"Net {random.randrange(90)}")


def test_each_buyer_gets_one_that_has_something_and_it_is_noted_once(business: Business) -> None:
    business.placed("a", 4)
    business.placed("b", 4, buyer_id=guid("B2"))
    business.placed("nobody", 4, buyer_id=None, buyer_company_name="Somebody")
    business.read()

    first = business.made(party=None)
    assert sorted(made.statement.party for made in first) == sorted([guid("B1"), guid("B2")])
    assert business.one().statement.proof in {made.statement.proof for made in first}
    business.made(party=None)
    entries = [noted for _, noted in statements_of(business.entries())]
    assert [each.proof for each in entries] == [made.statement.proof for made in first]
    assert "Shop" not in (business.folder / "books").rglob("book.jsonl").__next__().read_text()


def test_one_that_was_killed_goes_on(business: Business, monkeypatch: pytest.MonkeyPatch) -> None:
    import wholesale_books.statements.making as making

    for number in range(7):
        business.sandbox.put("buyers", {"id": guid(f"C{number}"), "company_name": f"C{number}"})
        business.placed(f"o{number}", 4, buyer_id=guid(f"C{number}"))
    business.read()
    monkeypatch.setattr(making, "NOTED_AT_ONCE", 2)
    whole = business.made(party=None, to="whole")
    write = making.FORMATS["csv"]
    left = [3]

    class Killed(BaseException):
        """What a kill comes to: nothing is done after it."""

    def killing(path: Path, **told: object) -> None:
        left[0] -= 1
        if not left[0]:
            path.write_text("half")
            raise Killed
        write(path, **told)

    monkeypatch.setitem(making.FORMATS, "csv", killing)
    monkeypatch.setattr(making, "note", lambda *_: None)
    with pytest.raises(Killed):
        business.made(party=None, to="out")
    monkeypatch.undo()
    monkeypatch.setattr(making, "NOTED_AT_ONCE", 2)

    business.made(party=None, to="out")
    business.made(party=None, to="out")

    assert contents(business.folder / "out") == contents(business.folder / "whole")
    noted = [each for _, each in statements_of(business.entries())]
    assert len(noted) == 2 * len(whole)
    assert {each.proof for each in noted} == {made.statement.proof for made in whole}


def test_what_cannot_be_known_yet_or_any_more_is_refused(
    business: Business, monkeypatch: pytest.MonkeyPatch
) -> None:
    business.placed("a", 4)
    business.read()
    with pytest.raises(NotYet):
        business.made(days_ago=0)
    with pytest.raises(ConfigurationError):
        business.made(party="B9")
    with pytest.raises(ConfigurationError):
        business.made(days_ago=2, since=1)
    business.pass_days(5)
    with pytest.raises(NotYet):
        business.made(days_ago=1)
    business.loader.execute("update sync_runs set verdict = 'incomplete' where resource = 'orders'")
    with pytest.raises(NotYet):
        business.made(days_ago=9)
    assert not (business.folder / "out").exists()

    def code(*words: str) -> int:
        return business.run("statement", *words, "--to", str(business.folder / "x")).exit_code

    buyer = guid("B1")
    assert code("--buyer", buyer, "--as-of", str(day_of(0))) == 3
    assert code("--buyer", buyer, "--vendor", buyer, "--as-of", str(day_of(9))) == 2
    assert code("--buyer", buyer, "--as-of", str(day_of(9)), "--format", "doc") == 2
    business.read()
    business.loader.execute(
        "create or replace table sync_forgotten as select now() - interval 1 day as forgotten_until"
    )
    business.pass_days(0)
    monkeypatch.setenv("BUILD__TIME_ZONE", "UTC")
    assert code("--buyer", buyer, "--as-of", str(day_of(1))) == 0


def test_a_past_that_is_kept_no_longer_is_told_with_the_setting(business: Business) -> None:
    business.placed("a", 30)
    business.read()
    business.pass_days(20)
    business.put("a", payment_status="paid")
    business.read()
    business.loader.execute(
        "insert into sync_forgotten (forgotten_until, _dlt_load_id, _dlt_id)"
        " select now() - interval 1 day, 'x', 'x'"
        if business.loader.rows("select 1 from duckdb_tables() where table_name = 'sync_forgotten'")
        else "create table sync_forgotten as select now() - interval 1 day as forgotten_until"
    )
    with pytest.raises(NotInPast) as caught:
        business.made(days_ago=21)
    assert "history.keep_days" in str(caught.value)


def test_every_file_says_the_same_with_the_proof(business: Business) -> None:
    odd = "=1+1 #strong[x] $y$ <b>"
    business.placed("o1", 40, total="1234567.125", po_number=odd)
    business.placed("o2", 3, payment_status="paid")
    for number in range(90):
        business.placed(f"n{number}", 12)
    business.read()

    made = business.one(formats=ALL, since=10)
    proof = made.statement.proof
    by_name = {path.suffix: path for path in (business.folder / "out").iterdir()}
    with by_name[".csv"].open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["proof"] for row in rows} == {proof}
    assert [row["amount"] for row in rows if row["order_number"] == "o1"] == ["1234567.125"]
    sums = {row["section"]: row["amount"] for row in rows if row["row"] == "total"}
    assert sums["owed"] == str(Decimal("1234567.125") + 90 * Decimal("10.5"))
    pages = [page.extract_text() for page in pypdf.PdfReader(by_name[".pdf"]).pages]
    assert len(pages) > 1
    assert all(
        proof in page and f"Page {n} of {len(pages)}" in page for n, page in enumerate(pages, 1)
    )
    assert "1,234,567.125" in pages[0]
    assert "#strong" in "".join(pages).replace("\u200b", "")
    document = json.loads(
        business.run(
            *("statement", "--buyer", guid("B1"), "--as-of", str(day_of(1)), "--json"),
            *("--from", str(day_of(10)), "--to", str(business.folder / "out"), "--format", "csv"),
        ).output
    )
    assert document["statements"][0]["proof"] == proof
    assert document["statements"][0]["totals"]["owed"]["amount"] == sums["owed"]


def test_every_door_says_of_a_vendor_who_owes_and_paid_by_the_same_words(
    business: Business,
) -> None:
    business.placed("open", 20)
    business.placed("paid", 3, payment_status="paid")
    business.read()
    titles: dict[Kind, list[str]] = {}
    for of, party in PARTIES:
        made = business.one(of=of, party=party, since=10, to=of, formats=("xlsx", "pdf"))
        words = titles[of] = [made.statement.words(name)[0] for name in ("owed", "settled")]
        workbook, pdf = sorted((business.folder / of).iterdir(), key=lambda path: path.suffix)[::-1]
        [sheet] = read_workbook(workbook).values()
        first = [row["A"] for row in sheet.rows if row.get("A") in words]
        assert first == [*words, *words]
        page = pypdf.PdfReader(pdf).pages[0].extract_text()
        assert [page.count(title) for title in words] == [2, 2]
        told = business.run(
            *("statement", f"--{of}", guid(party), "--as-of", str(day_of(1))),
            *("--from", str(day_of(10)), "--to", str(business.folder / of), "--format", "csv"),
        )
        assert all(title.lower() in told.output for title in words)
    assert not {*titles["buyer"]} & {*titles["vendor"]}
