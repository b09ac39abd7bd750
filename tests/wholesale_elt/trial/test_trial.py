"""An export of orders becomes records of the API: columns by name, amounts exact, nothing lost."""

import json
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from wholesale.errors import ConfigurationError
from wholesale_elt.trial.columns import match
from wholesale_elt.trial.records import Told, write_records
from wholesale_elt.trial.sheets import Sheet, read_sheet
from wholesale_elt.trial.values import Written, written

LINES = """Order No;Date;Customer;SKU;Product;Qty;Unit price;Own note
1001;2026-03-01;Böhm;A;Mug;2;10,05;first
1001;2026-03-01;Böhm;B;Cup;1;1.234,50;second
1002;2026-03-02;;A;Mug;3;10,05;
"""
ORDERS = "Invoice,Invoice date,Client,Amount\n7,2026-03-01,Böhm,10.10\n8,2026-03-02,Weiß,2\n"


def sheet_of(tmp_path: Path, text: str, encoding: str = "utf-8") -> Sheet:
    file = tmp_path / "export.csv"
    file.write_bytes(text.encode(encoding))
    return read_sheet(file)


def records(
    tmp_path: Path, sheet: Sheet, given: dict[str, str] | None = None, **how: Any
) -> tuple[Told, dict[str, list[dict[str, Any]]]]:
    folder = tmp_path / "records"
    told = write_records(sheet, match(sheet.names, given or {}), folder, "ours", **how)
    return told, {
        path.stem: [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for path in folder.glob("*.jsonl")
    }


def test_rows_of_lines_become_orders_with_lines_and_exact_sums(tmp_path: Path) -> None:
    told, found = records(tmp_path, sheet_of(tmp_path, LINES))

    assert (told.orders, told.lines, told.written) == (2, 3, Written(",", "ymd"))
    first, second = found["orders"]
    assert (first["order_number"], first["created_at"]) == ("1001", "2026-03-01T00:00:00Z")
    assert (first["sub_total"], first["total"]) == ("1254.60", "1254.60")
    assert [
        (line["sku"], line["quantity"], line["unit_price"], line["total_price"])
        for line in first["order_line_items"]
    ] == [("A", 2, "10.05", "20.10"), ("B", 1, "1234.50", "1234.50")]
    assert [line["own_note"] for line in first["order_line_items"]] == ["first", "second"]
    assert (second["buyer_id"], second["total"]) == (None, "30.15")
    assert [buyer["company_name"] for buyer in found["buyers"]] == ["Böhm"]
    assert first["buyer_id"] == found["buyers"][0]["id"]
    assert [(item["title"], item["sku"]) for item in found["items"]] == [("Mug", "A"), ("Cup", "B")]
    assert [vendor["name"] for vendor in found["vendors"]] == ["ours"]


def test_a_code_of_two_vendors_is_two_products(tmp_path: Path) -> None:
    text = "order,date,brand,sku,qty,price\n1,2026-03-01,One,A,1,2.00\n2,2026-03-01,Two,A,1,5.00\n"
    _, found = records(tmp_path, sheet_of(tmp_path, text))

    ids = [line["item_id"] for order in found["orders"] for line in order["order_line_items"]]
    assert [(item["id"], item["vendor_name"], item["unit_price"]) for item in found["items"]] == [
        (ids[0], "One", "2.00"),
        (ids[1], "Two", "5.00"),
    ]


def test_rows_of_orders_have_no_lines(tmp_path: Path) -> None:
    told, found = records(tmp_path, sheet_of(tmp_path, ORDERS))

    assert (told.orders, told.lines) == (2, 0)
    assert [(row["order_number"], row["total"]) for row in found["orders"]] == [
        ("7", "10.10"),
        ("8", "2"),
    ]


def test_ids_are_the_same_for_a_later_export(tmp_path: Path) -> None:
    _, first = records(tmp_path, sheet_of(tmp_path, ORDERS))
    _, later = records(tmp_path, sheet_of(tmp_path, ORDERS + "9,2026-03-03,Böhm,5\n"))

    assert [row["id"] for row in later["orders"]][:2] == [row["id"] for row in first["orders"]]
    assert later["orders"][2]["buyer_id"] == first["orders"][0]["buyer_id"]


def test_a_workbook_has_the_same_records_as_the_text(tmp_path: Path) -> None:
    file = tmp_path / "export.xlsx"
    with xlsxwriter.Workbook(file) as book:
        sheet = book.add_worksheet()
        day = book.add_format({"num_format": "dd/mm/yyyy"})
        names = ("Order No", "Date", "Customer", "SKU", "Product", "Qty", "Unit price", "Own note")
        sheet.write_row(0, 0, names)
        for number, (order, at, customer, sku, product, qty, price, note) in enumerate(
            (
                ("1001", datetime(2026, 3, 1), "Böhm", "A", "Mug", 2, 10.05, "first"),
                ("1001", datetime(2026, 3, 1), "Böhm", "B", "Cup", 1, 1234.5, "second"),
                ("1002", datetime(2026, 3, 2), "", "A", "Mug", 3, 10.05, ""),
            ),
            1,
        ):
            sheet.write(number, 0, order)
            sheet.write_datetime(number, 1, at, day)
            sheet.write_row(number, 2, (customer, sku, product, qty, price, note))
        book.add_worksheet("another").write(0, 0, "not read")

    _, of_text = records(tmp_path, sheet_of(tmp_path, LINES))
    _, of_book = records(tmp_path, read_sheet(file))

    def plain(found: dict[str, list[dict[str, Any]]]) -> Any:
        return [
            (row["order_number"], row["created_at"], Decimal(row["total"]))
            for row in found["orders"]
        ]

    assert plain(of_book) == plain(of_text)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_text_is_read_in_any_usual_form(tmp_path: Path, encoding: str, delimiter: str) -> None:
    text = ORDERS.replace(",", delimiter)

    assert sheet_of(tmp_path, text, encoding).rows[1][2] == "Weiß"


@pytest.mark.parametrize(
    ("text", "point", "amount"),
    [
        ("10.50", ".", "10.50"),
        ("$1,234.50", ".", "1234.50"),
        ("1.234,50 €", ",", "1234.50"),
        ("1 234,5", ",", "1234.5"),
        ("(12.00)", ".", "-12.00"),
        ("12.00-", ".", "-12.00"),
        ("\u22125", ".", "-5"),
        ("0.1000000000000000000001", ".", "0.1000000000000000000001"),
        ("1.5e3", ".", "1500"),
        (".5", ".", "0.5"),
        ("free", ".", "free"),
        ("1.2.3", ",", "1.2.3"),
        ("4,50", ".", "4,50"),
        ("1.5", ",", "1.5"),
        ("1,00,000.50", ".", "100000.50"),
        ("1'234.50 CHF", ".", "1234.50"),
        ("100,-", ",", "100"),
        ("-100.-", ".", "-100"),
        ("$ -3.25", ".", "-3.25"),
        ("-US$ 3.25", ".", "-3.25"),
        ("Rs. 7", ".", "7"),
        ("3 pcs", ".", "3"),
        ("2 for 10", ".", "2 for 10"),
        ("12-34", ".", "12-34"),
        ("1.5k", ".", "1.5k"),
        ("5%", ".", "5%"),
        ("12.00 CR", ".", "12.00 CR"),
        ("~5", ".", "~5"),
        ("< 5", ".", "< 5"),
        ("1,2,3", ".", "1,2,3"),
        ("1.5.", ".", "1.5."),
        ("1234,567", ".", "1234,567"),
    ],
)
def test_an_amount_is_exact_or_stays_as_it_is(text: str, point: Any, amount: str) -> None:
    assert Written(point).amount(text) == amount


@pytest.mark.parametrize(
    ("text", "order", "at"),
    [
        ("2026-03-01", "ymd", "2026-03-01T00:00:00Z"),
        ("2026-03-01 10:00:00 +0100", "ymd", "2026-03-01T09:00:00Z"),
        ("2026-03-01T10:00:00Z", "ymd", "2026-03-01T10:00:00Z"),
        ("1.3.2026", "dmy", "2026-03-01T00:00:00Z"),
        ("3/1/26 2:05 PM", "mdy", "2026-03-01T14:05:00Z"),
        ("31/12/99", "dmy", "1999-12-31T00:00:00Z"),
        ("2026/03/01 10:00", "ymd", "2026-03-01T10:00:00Z"),
        ("30/02/2026", "dmy", "30/02/2026"),
        ("soon", "ymd", "soon"),
        ("1/2/2026 noon", "dmy", "1/2/2026 noon"),
    ],
)
def test_a_day_is_a_moment_or_stays_as_it_is(text: str, order: Any, at: str) -> None:
    assert Written(days=order).day(text) == at


@pytest.mark.parametrize(
    ("amounts", "days", "found"),
    [
        (["1.234,50", "1.234"], ["2026-01-01"], Written(",", "ymd")),
        (["1,234,567", "5"], ["13/01/2026", "01/02/2026"], Written(".", "dmy")),
        (["0.125"], ["01/13/2026"], Written(".", "mdy")),
        (["5"], ["1.2.2026"], Written(".", "dmy")),
        (["5"], ["02/02/2026"], Written(".", "ymd")),
    ],
)
def test_how_a_file_writes_is_told_by_what_can_be_read_in_one_way(
    amounts: list[str], days: list[str], found: Written
) -> None:
    assert written(amounts, days, None, None) == found


@pytest.mark.parametrize(
    ("amounts", "days", "option"),
    [
        (["1,234"], ["2026-01-01"], "--decimal"),
        (["1,5", "1.5"], ["2026-01-01"], "--decimal"),
        (["5"], ["01/02/2026"], "--days"),
        (["5"], ["13/01/2026", "01/13/2026"], "--days"),
    ],
)
def test_what_nothing_tells_is_asked_for(amounts: list[str], days: list[str], option: str) -> None:
    with pytest.raises(ConfigurationError, match=option):
        written(amounts, days, None, None)
    assert written(amounts, days, ",", "mdy") == Written(",", "mdy")


@pytest.mark.parametrize(
    ("names", "given", "wanted"),
    [
        (["Date", "Total"], {}, "order_number"),
        (["Order", "Total"], {}, "created_at"),
        (["Order", "Date"], {}, "total"),
        (["Order", "Date", "Qty"], {}, "total"),
        (["Order", "Date", "Total"], {"colour": "Total"}, "colour"),
        (["Order", "Date", "Total"], {"total": "Sum"}, "Sum"),
        (["Order", "Date", "Total"], {"created_at": ""}, "created_at"),
    ],
)
def test_what_cannot_be_matched_is_asked_for_by_an_option(
    names: list[str], given: dict[str, str], wanted: str
) -> None:
    with pytest.raises(ConfigurationError, match=wanted):
        match(names, given)


def test_a_column_that_is_named_is_taken_and_others_are_kept() -> None:
    found = match(
        ["Order", "Booked on", "Date", "Sum", "ID", "1st", "Total?", "total!"],
        {"created_at": "booked ON", "total": "Sum"},
    )

    assert found.fields == {"created_at": 1, "total": 3, "order_number": 0}
    assert found.extra == {"date": 2, "own_id": 4, "own_1st": 5, "own_total": 6, "own_total_": 7}


def test_a_total_that_differs_within_an_order_is_that_of_a_line(tmp_path: Path) -> None:
    text = "Order,Date,SKU,Total\n1,2026-01-01,A,1.10\n1,2026-01-01,B,2.20\n"
    _, found = records(tmp_path, sheet_of(tmp_path, text))

    assert found["orders"][0]["total"] == "3.30"
    assert [line["total_price"] for line in found["orders"][0]["order_line_items"]] == [
        "1.10",
        "2.20",
    ]


def test_what_is_odd_is_counted_and_kept(tmp_path: Path) -> None:
    text = (
        "Order,Date,Status,Total,Colour\n1,2026-01-01,new,free,red\n1,soon,sent,,blue\n"
        ",,,99,\n2,soon,,5,\n"
    )
    told, found = records(tmp_path, sheet_of(tmp_path, text))

    assert told.without_number == [4]
    assert dict(told.several) == {"created_at": 1, "status": 1, "colour": 1}
    assert (told.unread["amounts"], told.unread["days"]) == (1, 1)
    assert [(row["total"], row["created_at"]) for row in found["orders"]] == [
        ("free", "2026-01-01T00:00:00Z"),
        ("5", "soon"),
    ]


@pytest.mark.parametrize(
    "content",
    [b"", b"Order,Date,Total\n", b"\0\1\2\3", b"PK\3\4 no workbook", b"\n\n\n"],
)
def test_what_is_no_export_is_refused_in_a_line(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "export.csv"
    file.write_bytes(content)
    for path in (file, tmp_path, tmp_path / "none.csv"):
        with pytest.raises(ConfigurationError):
            read_sheet(path)
