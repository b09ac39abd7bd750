"""Workbooks: what a file of Excel holds, read without the library that wrote it (ECMA-376)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

NAMES = {"x": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}


@dataclass(frozen=True)
class Worksheet:
    """The cells of a sheet: numbers as decimals, and the format of each as Excel writes it."""

    rows: Sequence[Mapping[str, object]]
    formats: Sequence[Mapping[str, str]]
    is_frozen: bool
    filtered: str


def read_workbook(path: Path) -> Mapping[str, Worksheet]:
    """Its sheets by title, the cells of a row by the letter of their column."""
    with ZipFile(path) as file:
        parts = {name: ElementTree.fromstring(file.read(name)) for name in file.namelist()}
    book, styles = parts["xl/workbook.xml"], parts["xl/styles.xml"]
    strings = [
        "".join(text.itertext())
        for text in parts.get("xl/sharedStrings.xml", ElementTree.Element("none"))
    ]
    custom = {
        entry.get("numFmtId"): str(entry.get("formatCode"))
        for entry in styles.findall("x:numFmts/x:numFmt", NAMES)
    }
    formats = [
        custom.get(entry.get("numFmtId"), str(entry.get("numFmtId")))
        for entry in styles.findall("x:cellXfs/x:xf", NAMES)
    ]
    titles = [str(sheet.get("name")) for sheet in book.findall("x:sheets/x:sheet", NAMES)]
    return {
        title: _sheet(parts[f"xl/worksheets/sheet{number}.xml"], strings, formats)
        for number, title in enumerate(titles, 1)
    }


def _sheet(part: ElementTree.Element, strings: Sequence[str], formats: Sequence[str]) -> Worksheet:
    rows, shown = [], []
    for row in part.iterfind("x:sheetData/x:row", NAMES):
        cells = {str(cell.get("r")).rstrip("0123456789"): cell for cell in row}
        rows.append({letter: _value(cell, strings) for letter, cell in cells.items()})
        shown.append({letter: formats[int(cell.get("s", 0))] for letter, cell in cells.items()})
    pane, filtered = part.find(".//x:pane", NAMES), part.find("x:autoFilter", NAMES)
    return Worksheet(
        rows,
        shown,
        pane is not None and pane.get("state") == "frozen",
        "" if filtered is None else str(filtered.get("ref")),
    )


def _value(cell: ElementTree.Element, strings: Sequence[str]) -> object:
    text = "".join(cell.itertext())
    match cell.get("t"):
        case "s":
            return strings[int(text)]
        case "inlineStr":
            return text
        case "b":
            return text == "1"
    return Decimal(text)
