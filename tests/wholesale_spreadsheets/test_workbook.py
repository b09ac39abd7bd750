"""The workbook: what people read of a version, and how far they may trust it."""

import re
from decimal import Decimal
from hashlib import sha256

import pytest

import wholesale_spreadsheets.workbook as writing
from support.warehouses.workbooks import read_workbook
from wholesale_elt.models import read_contract
from wholesale_spreadsheets.columns import column_of, heading_of
from wholesale_spreadsheets.sheets import REPORTS

from .conftest import LONG, Office


def test_a_sheet_has_headings_that_people_read_and_values_of_their_kind(office: Office) -> None:
    office.build(1)
    office.publish()

    sheet = read_workbook(office.folder / "wholesale.xlsx")["Orders"]

    assert sheet.rows == [
        {
            "A": "Order ID",
            "B": "Order number",
            "C": "Ordered date",
            "D": "Vendor",
            "E": "Order status",
            "F": "Open",
            "G": "Unit count",
            "H": "Sales amount (EUR)",
        },
        {
            "A": "o1",
            "B": "00000007",
            "C": Decimal(46024),  # days since 1899-12-30
            "D": "=1+1",
            "E": "shipped",
            "F": True,
            "G": Decimal(1),
            "H": Decimal("0.07"),
        },
        {
            "A": "o2",
            "B": "-5",
            "C": Decimal(46023),
            "D": 'Ä "b", c',
            "F": False,
            "G": Decimal(3),
            "H": LONG,
        },
    ]
    assert {letter: sheet.formats[1][letter] for letter in "CGH"} == {
        "C": "yyyy-mm-dd",
        "G": "#,##0",
        "H": "#,##0.00",
    }
    assert sheet.is_frozen
    assert sheet.filtered == "A1:H3"


def test_the_first_sheet_says_how_far_to_trust_the_others(office: Office) -> None:
    office.build(1, reason="page 3 is missing")
    office.publish(is_even_if_incomplete=True)

    book = read_workbook(office.folder / "wholesale.xlsx")

    assert list(book) == ["As of", "Orders", "Columns"]
    told = {str(row["A"]): row["B"] for row in book["As of"].rows if "B" in row}
    assert {name: told[name] for name in ("Verdict", "Reason", "As of", "Currency", "Orders")} == {
        "Verdict": "incomplete",
        "Reason": "orders: page 3 is missing",
        "As of": "2026-01-01 06:00 UTC",
        "Currency": "EUR",
        "Orders": Decimal(2),
    }
    meanings = {(row["A"], row["B"]): row["C"] for row in book["Columns"].rows}
    declared = read_contract("bi")["rpt_orders"].columns["sub_total"]
    assert meanings["Orders", "Sales amount (EUR)"] == declared.description


def test_rows_beyond_those_that_a_sheet_takes_are_told_of(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "MOST_ROWS", 1)
    office.build(1)
    office.publish()

    book = read_workbook(office.folder / "wholesale.xlsx")

    assert [row["A"] for row in book["Orders"].rows] == ["Order ID", "o1"]
    [about] = [row for row in book["As of"].rows if row["A"] == "Orders"]
    assert about["B"] == Decimal(2)
    assert "1 rows only" in str(about["C"])


def test_the_same_build_makes_the_same_bytes(office: Office) -> None:
    def published() -> str:
        office.publish(is_even_if_incomplete=True)
        return sha256((office.folder / "wholesale.xlsx").read_bytes()).hexdigest()

    office.build(1)
    first = published()
    (office.folder / "index.html").unlink()
    (office.folder / office.current()["dashboard"]).unlink()  # so that it is published again

    assert published() == first
    assert len(office.versions()) == 2


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("first_ordered_date", "First ordered date"),
        ("is_late", "Late"),
        ("has_reordered_within_30_days", "Reordered within 30 days"),
        ("month_start", "Month"),
        ("account_manager_id", "Account manager ID"),
    ],
)
def test_a_name_becomes_words(name: str, heading: str) -> None:
    assert heading_of(name) == heading


@pytest.mark.parametrize(
    ("type_", "unit", "shown"),
    [
        ("DECIMAL(18,3)", "currency of the account", ("Value (USD)", "#,##0.000")),
        ("DECIMAL(38,6)", "currency of the account", ("Value (USD)", "#,##0.00")),
        ("DECIMAL(18,6)", "share: 1 is all of it", ("Value", "0.0%")),
        ("BIGINT", "days", ("Value (days)", "#,##0")),
        ("TIMESTAMP WITH TIME ZONE", None, ("Value (UTC)", "yyyy-mm-dd hh:mm")),
        ("VARCHAR", None, ("Value", "@")),
    ],
)
def test_a_column_is_shown_as_what_it_is_counted_in(
    type_: str, unit: str | None, shown: tuple[str, str]
) -> None:
    column = column_of("value", type_, unit, "", "USD")

    assert (column.heading, column.format) == shown


@pytest.mark.parametrize("title", REPORTS)
def test_no_two_columns_of_a_sheet_have_one_heading_and_it_has_those_that_it_is_ordered_by(
    title: str,
) -> None:
    name, order = REPORTS[title]
    declared = read_contract("bi")[name].columns
    headings = [
        column_of(name, "VARCHAR", of.unit, "", "USD").heading for name, of in declared.items()
    ]

    assert len(set(headings)) == len(headings)
    assert set(re.findall(r"\w+", order)) - {"desc", "nulls", "last"} <= declared.keys()
    assert len(title) <= 31  # as Excel allows
