"""Workbook: the cells of the first sheet of an XLSX file, as text; days as ISO 8601."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from io import BytesIO
from xml.etree.ElementTree import Element, ParseError, iterparse
from zipfile import BadZipFile, ZipFile

MOST_BYTES = 2**30
"""Of what is packed in it: more is no export of orders."""
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
OF_SHEET = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
EPOCH, EPOCH_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)
DAY_FORMATS = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
"""Numbers of the built-in formats of days and times."""
NOT_OF_DAYS = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
"""Parts of a format that are shown as they are, colours and conditions."""
DIGITS = 15
"""So many digits of a number Excel keeps; more are noise of its arithmetic."""
LETTERS = re.compile(r"[A-Z]+")


class NotAWorkbook(Exception):
    """It is no XLSX file, or one that is too large."""


def read_workbook(content: bytes) -> Iterator[Sequence[str]]:
    """The rows of the first sheet. Raises: NotAWorkbook."""
    try:
        with ZipFile(BytesIO(content)) as packed:
            if sum(each.file_size for each in packed.infolist()) > MOST_BYTES:
                raise NotAWorkbook("it is too large")
            yield from _rows(packed)
    except (BadZipFile, KeyError, ParseError, IndexError, StopIteration) as error:
        raise NotAWorkbook(f"it is no workbook: {type(error).__name__}") from None


def _rows(packed: ZipFile) -> Iterator[Sequence[str]]:
    texts = [_text(each) for each in _elements(packed, "xl/sharedStrings.xml", "si")]
    days = _day_styles(packed)
    is_1904 = any(
        each.get("date1904") in ("1", "true")
        for each in _elements(packed, "xl/workbook.xml", "workbookPr")
    )
    epoch = EPOCH_1904 if is_1904 else EPOCH
    for row in _elements(packed, _first_sheet(packed), "row"):
        cells: list[str] = []
        for cell in row.iterfind(f"{MAIN}c"):
            place = _place(cell.get("r", "")) if cell.get("r") else len(cells)
            cells += [""] * (place - len(cells))
            cells.append(_value(cell, texts, days, epoch))
        yield cells
        row.clear()


def _first_sheet(packed: ZipFile) -> str:
    sheet = next(_elements(packed, "xl/workbook.xml", "sheet"))
    with packed.open("xl/_rels/workbook.xml.rels") as file:
        for _, each in iterparse(file):
            if each.get("Id") == sheet.get(OF_SHEET):
                target = str(each.get("Target")).lstrip("/")
                return target if target.startswith("xl/") else f"xl/{target}"
    raise KeyError("sheet")


def _elements(packed: ZipFile, name: str, tag: str) -> Iterator[Element]:
    if name not in packed.namelist():
        return
    with packed.open(name) as file:
        for _, element in iterparse(file):
            if element.tag == f"{MAIN}{tag}":
                yield element


def _day_styles(packed: ZipFile) -> Sequence[bool]:
    """Of each style of a cell, whether it shows a number as a day."""
    own: Mapping[str, str] = {
        str(each.get("numFmtId")): str(each.get("formatCode"))
        for each in _elements(packed, "xl/styles.xml", "numFmt")
    }
    styles = next(_elements(packed, "xl/styles.xml", "cellXfs"), None)
    found = []
    for style in [] if styles is None else styles:
        number = str(style.get("numFmtId", "0"))
        code = NOT_OF_DAYS.sub("", own.get(number, "")).lower()
        found.append(bool(re.search(r"[ydh]", code)) or int(number) in DAY_FORMATS)
    return found


def _place(reference: str) -> int:
    """`AB12` is in the column 27, from 0."""
    place = 0
    for letter in LETTERS.match(reference)[0]:  # type: ignore[index]
        place = place * 26 + ord(letter) - ord("A") + 1
    return place - 1


def _value(cell: Element, texts: Sequence[str], days: Sequence[bool], epoch: datetime) -> str:
    kind, value = cell.get("t", "n"), cell.findtext(f"{MAIN}v") or ""
    if kind == "inlineStr":
        inline = cell.find(f"{MAIN}is")
        return "" if inline is None else _text(inline)
    if kind == "s":
        return texts[int(value)]
    if kind == "b":
        return "true" if value == "1" else "false"
    if kind != "n" or not value:
        return "" if kind == "e" else value.strip()
    style = int(cell.get("s", "0"))
    if style < len(days) and days[style]:
        return _day(value, epoch)
    return _number(value)


def _day(value: str, epoch: datetime) -> str:
    try:
        at = epoch + timedelta(seconds=round(float(value) * 86_400))
    except (ValueError, OverflowError):
        return value
    return at.date().isoformat() if not (at.hour or at.minute or at.second) else at.isoformat()


def _number(value: str) -> str:
    try:
        number = Decimal(value)
        digits = len(number.as_tuple().digits)
        if digits > DIGITS:
            number = Decimal(f"{number:.{DIGITS - 1}e}")
    except (InvalidOperation, ValueError):
        return value
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _text(element: Element) -> str:
    """All runs of a text, without how a word is spoken."""
    runs = [*element.iterfind(f"{MAIN}t"), *element.iterfind(f"{MAIN}r/{MAIN}t")]
    return "".join(each.text or "" for each in runs).strip()
