"""A download of the dashboard is a CSV file that any reader takes, and no spreadsheet runs."""

import csv
import io
import re
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from support.warehouses.javascript import Scripts

RUN = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
"""With what a text begins that a spreadsheet takes for more (OWASP, CSV injection)."""
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
TEXTS = st.one_of(
    st.text(), st.builds("{}{}".format, st.sampled_from(RUN), st.text()), st.from_regex(NUMBER)
)


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


@given(rows=st.lists(st.lists(TEXTS, min_size=2, max_size=2), max_size=4))
@example(rows=[["=1+1", "-1"], ['"', "a,b"], ["-1\n", "\u2028"]])
def test_any_text_comes_back_and_none_is_run(scripts: Scripts, rows: list[list[str]]) -> None:
    text = scripts.call("csv.encode", ["name", "amount"], rows).removeprefix("\ufeff")

    _, *found = csv.reader(io.StringIO(text, newline=""))

    assert found == [[f"'{field}" if _is_run(field) else field for field in row] for row in rows]


def _is_run(field: str) -> bool:
    return field.startswith(RUN) and not NUMBER.fullmatch(field)
