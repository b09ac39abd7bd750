"""Tables are saved with one meaning a column, exactly, as CSV and for Excel."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from support.warehouses.javascript import Scripts, loaded_scripts

SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
EPOCH = date(1899, 12, 30)
META = {
    "currency": "EUR",
    "figures_up_to": "2026-05-20",
    "metrics": {"sales": {"unit": "amount"}, "orders": {"unit": "count"}},
}
COLUMNS = """[
    { name: "vendor", label: "Vendor" },
    { name: "course", label: "Course", type: "course" },
    { name: "sales", label: "Sales", type: "bar", before: "sales_before" },
    { name: "sales", before: "sales_before", label: "Change", type: "change" },
    { name: "orders", label: "Orders", type: "count" },
    { name: "share", label: "Share", type: "share" },
    { name: "every", label: "Every", type: "number", measure: "days" },
    { name: "day", label: "Last  purchase", type: "date" },
]"""
ROWS = [
    {
        "vendor": "=Fig & Thistle",
        "sales": "100.3",
        "sales_before": "111.555675",
        "orders": 3,
        "share": "0.318394",
        "every": 0.1 + 0.2,
        "day": "2026-05-01",
    },
    {"vendor": "Späth", "sales": "5", "sales_before": "0", "orders": 1, "day": None},
]


@pytest.fixture(scope="module")
def scripts() -> Iterator[Scripts]:
    names = ("data", "decimals", "days", "format", "view", "csv", "facts", "objects")
    later = ("saving", "xlsx", "zip")
    with loaded_scripts(*names, *(f"later/{name}" for name in later)) as scripts:
        scripts.evaluate(f"wholesale.meta = {json.dumps(META)}")
        for name in later:
            scripts.run(f"wholesale.later('{name}').then((made) => {{ wholesale.{name} = made; }})")
        yield scripts


def sheet(rows: Sequence[Any], totals: Any = None) -> str:
    return (
        f"wholesale.saving.sheetOf({{ caption: 'Vendors', columns: {COLUMNS},"
        f" rows: {json.dumps(rows)}, totals: {json.dumps(totals)},"
        " valueIn: (column, row) => row[column.name] })"
    )


def test_a_change_is_an_amount_and_per_cent_and_no_column_means_two_things(
    scripts: Scripts,
) -> None:
    totals = {"sales": "105.3", "sales_before": "111.555675", "orders": 4, "share": "1"}
    text = scripts.evaluate(f"wholesale.saving.csvOf({sheet(ROWS, totals)})")

    found = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
    assert found == [
        [
            *("Vendor", "Sales (EUR)", "Change (EUR)", "Change %", "Orders", "Share %"),
            *("Every (days)", "Last purchase"),
        ],
        [
            *("'=Fig & Thistle", "100.3", "-11.255675", "-10.0897", "3", "31.8394", "0.3"),
            "2026-05-01",
        ],
        ["Späth", "5", "5", "", "1", "", "", ""],
        ["Total", "105.3", "-6.255675", "-5.6077", "4", "100", "", ""],
    ]


def test_a_workbook_has_what_the_csv_has(scripts: Scripts) -> None:
    [cells, about] = workbook(
        scripts, f"[{sheet(ROWS)}, {{ name: 'About', columns: [], rows: [] }}]"
    )
    assert about == [[]]
    assert cells[0][:4] == ["Vendor", "Sales (EUR)", "Change (EUR)", "Change %"]
    assert cells[1] == [
        *("=Fig & Thistle", Decimal("100.3"), Decimal("-11.255675"), Decimal("-0.100897")),
        *(Decimal(3), Decimal("0.318394"), Decimal("0.3"), date(2026, 5, 1)),
    ]


HOSTILE = st.text(
    st.one_of(st.characters(), st.sampled_from('=+-@"&<>_x0041_\x00\x1b\ufffe\ud800'))
)


@given(texts=st.lists(HOSTILE, min_size=1, max_size=4))
@example(texts=["\x1fx001F_"])
def test_any_text_is_text_in_a_workbook(scripts: Scripts, texts: list[str]) -> None:
    rows = [[text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")] for text in texts]
    made = {"name": "a/b[c]", "columns": [{"heading": "Text", "kind": "text"}], "rows": rows}

    [cells] = workbook(scripts, json.dumps([made]))

    assert cells == [["Text"], *rows]


@given(
    amounts=st.lists(
        st.decimals(
            allow_nan=False, allow_infinity=False, places=9, min_value=-(10**20), max_value=10**20
        ),
        min_size=1,
        max_size=5,
    )
)
def test_amounts_keep_all_digits_as_numbers_where_excel_shows_them(
    scripts: Scripts, amounts: list[Decimal]
) -> None:
    texts = [f"{amount:f}" for amount in amounts]
    made = {
        "name": "Amounts",
        "columns": [{"heading": "Amount", "kind": "amount"}],
        "rows": [[text] for text in texts],
    }

    [cells] = workbook(scripts, json.dumps([made]))

    for text, [found] in zip(texts, cells[1:], strict=True):
        digits = len(text.replace("-", "").replace(".", "").strip("0"))
        assert Decimal(found) == Decimal(text)
        assert isinstance(found, Decimal) is (digits <= 15)


def workbook(scripts: Scripts, sheets: str) -> list[list[list[Any]]]:
    """The cells of each sheet as Excel reads them: texts, numbers, days, None."""
    made = scripts.run(
        f"wholesale.xlsx({sheets}).then((bytes) => [...bytes])",
    )
    with zipfile.ZipFile(io.BytesIO(bytes(made))) as archive:
        assert archive.testzip() is None
        styles = ElementTree.fromstring(archive.read("xl/styles.xml"))
        formats = {
            each.get("numFmtId"): each.get("formatCode") for each in styles.iter(f"{SHEET}numFmt")
        }
        [cell_styles] = styles.iter(f"{SHEET}cellXfs")
        shown = [formats.get(each.get("numFmtId")) for each in cell_styles]
        titles = [
            each.get("name")
            for each in ElementTree.fromstring(archive.read("xl/workbook.xml")).iter(
                f"{SHEET}sheet"
            )
        ]
        assert len(titles) == len(set(titles))
        assert not any(set(title or "") & set("[]:*?/\\") for title in titles)
        return [
            list(cells_of(archive.read(f"xl/worksheets/sheet{number}.xml"), shown))
            for number in range(1, len(titles) + 1)
        ]


def cells_of(xml: bytes, formats: Sequence[str | None]) -> Iterator[list[Any]]:
    root = ElementTree.fromstring(xml)
    assert not list(root.iter(f"{SHEET}f"))
    for row in root.iter(f"{SHEET}row"):
        yield [cell_of(cell, formats) for cell in row]


def cell_of(cell: ElementTree.Element, formats: Sequence[str | None]) -> Any:
    if cell.get("t") == "inlineStr":
        return unescaped("".join(text.text or "" for text in cell.iter(f"{SHEET}t")))
    value = cell.find(f"{SHEET}v")
    assert value is not None
    assert value.text
    if formats[int(cell.get("s") or 0)] == "yyyy-mm-dd":
        return EPOCH + timedelta(days=int(value.text))
    return Decimal(value.text)


def unescaped(text: str) -> str:
    """What Excel reads of `_x001B_`."""
    return re.sub("_x([0-9a-fA-F]{4})_", lambda found: chr(int(found[1], 16)), text)
