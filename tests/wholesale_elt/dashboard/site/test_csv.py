"""Every CSV file is one that any reader takes, and no spreadsheet runs: Python's and the page's."""

import csv
import io
import re
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from support.warehouses.javascript import Scripts
from wholesale_elt.figures import csv_lines

SIGNS = tuple("=+-@\uff1d\uff0b\uff0d\uff20")
"""With what a text begins that a spreadsheet takes for more (OWASP, CSV injection)."""
SEPARATORS = ",;|\t"
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
HOSTILE = st.text(st.sampled_from([*SIGNS, *SEPARATORS, *"\"' \r\n\\nrtux1a\x1b\x9b\u2028\u202e"]))
TEXTS = st.one_of(st.text(), HOSTILE, st.from_regex(NUMBER, fullmatch=True))
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
MARKS = re.escape("".join(SIGNS))
MARKED = re.compile(f"(^|[,;|])'(?=[\"' \u00a0\u2000-\u200b\u202f\u3000\ufeff]*[{MARKS}])")
ESCAPE = re.compile(r"\\(?:([\\nrt])|x(..)|u(....))")


def page_lines(scripts: Scripts, *rows: list[Any]) -> list[str]:
    text: str = scripts.call("csv.encode", ["name", "amount"], rows)
    assert text.startswith("\ufeff")
    assert text.endswith("\r\n")
    return text.removeprefix("\ufeff").removesuffix("\r\n").split("\r\n")


def as_sent(text: str) -> str:
    """What is written, read back by the documented rules."""
    if NUMBER.fullmatch(text):
        return text
    without = MARKED.sub(r"\1", text)
    return ESCAPE.sub(
        lambda found: (
            {"\\": "\\", "n": "\n", "r": "\r", "t": "\t"}.get(found[1] or "")
            or chr(int(found[2] or found[3], 16))
        ),
        without,
    )


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ('a "b", c', '"a ""b"", c"'),
        (None, ""),
        ("", '""'),
        ("-2.50", "-2.50"),
        ("=1+1", "'=1+1"),
        ("@sum", "'@sum"),
        ("\uff1d1", "'\uff1d1"),
        ("+1", "'+1"),
        (" -a", "' -a"),
        ("'=1", "''=1"),
        ('"=1', '"\'""=1"'),
        ("a - b", "a - b"),
        ("a; b", '"a; b"'),
        ("x;=1", '"x;\'=1"'),
        ('x;"=1"', '"x;\'""=1"""'),
        ("x, -1|@y", "\"x,' -1|'@y\""),
        ("a\tb\r\n=1", "a\\tb\\r\\n=1"),
        ("\x1b]8;;\x07", '"\\x1b]8;;\\x07"'),
        ("\u202e\x9b", "\\u202e\\x9b"),
        ("S\\M", "S\\M"),
        ("C:\\new", "C:\\\\new"),
        (True, "TRUE"),
        (-5, "-5"),
        (0.25, "0.25"),
        (-1e-7, "-0.0000001"),
    ],
)
def test_a_value_is_written_in_one_way_everywhere(
    scripts: Scripts, value: Any, written: str
) -> None:
    assert list(csv_lines(["name"], [[value, 1]])) == ["name", f"{written},1"]
    assert page_lines(scripts, [value, 1]) == ["name,amount", f"{written},1"]


def test_amounts_have_all_digits_and_no_exponent() -> None:
    amounts = [Decimal("0E-9"), Decimal("1E-9"), Decimal("-7E+3"), Decimal("1.230000000")]

    assert list(csv_lines(["a"], [amounts]))[1] == "0.00,0.000000001,-7000,1.23"


def test_a_row_of_one_missing_value_is_a_row(scripts: Scripts) -> None:
    assert list(csv_lines(["name"], [[None]])) == ["name", '""']
    assert page_lines(scripts, [None])[1:] == ['""']


@given(rows=st.lists(st.lists(TEXTS, min_size=2, max_size=2), max_size=4))
@example(rows=[["=1+1", "-1"], ['"', "a,b"], ["-1\n", "\u2028"], ["x;\n=1", 'y;"";"=2"']])
def test_any_text_comes_back_and_none_is_run(scripts: Scripts, rows: list[list[str]]) -> None:
    lines = page_lines(scripts, *rows)

    assert lines == list(csv_lines(["name", "amount"], rows))
    assert [[as_sent(field) for field in row] for row in csv.reader(lines[1:])] == rows
    assert not any(CONTROL.search(line) for line in lines)
    for separator in SEPARATORS:
        for line in lines:
            for row in csv.reader(io.StringIO(line), delimiter=separator):
                assert not [cell for cell in row if _is_run(cell)]


def _is_run(cell: str) -> bool:
    """A row that begins with a number is one cell where commas do not separate."""
    first, _, _ = cell.partition(",")
    return cell.strip().startswith(SIGNS) and not NUMBER.fullmatch(first)
