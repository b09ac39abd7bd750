"""A download of the dashboard is a CSV file that any reader takes, and no spreadsheet runs."""

import csv
from typing import Any

from support.warehouses.javascript import Scripts


def rows_of(scripts: Scripts, *rows: list[Any]) -> list[list[str]]:
    text = scripts.call("csv.encode", ["name", "amount"], rows)
    assert text.startswith("\ufeff")
    assert text.endswith("\r\n")
    text = text.removeprefix("\ufeff")
    return list(csv.reader(text.splitlines()))


def test_a_file_is_read_back_as_it_was(scripts: Scripts) -> None:
    assert rows_of(scripts, ['a "b", c', None], ["", "-2.50"]) == [
        ["name", "amount"],
        ['a "b", c', ""],
        ["", "-2.50"],
    ]


def test_a_spreadsheet_runs_nothing_of_it(scripts: Scripts) -> None:
    assert rows_of(scripts, ["=1+1", "-2.50"], ["@sum", "+1"], ["\uff1d1", "\uff20a"])[1:] == [
        ["'=1+1", "-2.50"],
        ["'@sum", "'+1"],
        ["'\uff1d1", "'\uff20a"],
    ]


def test_a_spreadsheet_with_decimal_commas_keeps_a_text_in_its_cell(scripts: Scripts) -> None:
    assert scripts.call("csv.encode", ["name"], [["a; b"], ["a\tb"]]) == (
        '\ufeffname\r\n"a; b"\r\n"a\tb"\r\n'
    )
