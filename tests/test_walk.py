"""The walks in CONTRIBUTING are those that `poe walk` finds."""

from pathlib import Path

import pyarrow as pa
import pytest

from support.documents.readmes import fill
from support.documents.walk import CONTRIBUTING, WORD, holds_word, lists, walk_of_a_page
from wholesale.json.page import RawPage
from wholesale.tables.lines import Lines

MOST_MODULES = 24


@pytest.mark.parametrize(
    ("value", "is_held"),
    [
        (b'{"po_number":"%b"}' % WORD.encode(), True),
        (b'{"po_number":"another"}', False),
        (pa.table({"id": ["A", "B"], "po_number": [None, WORD]}), True),
        (pa.table({"id": ["A", "B"], "total": [1, 2]}), False),
        (RawPage(WORD.encode()), True),
        (("A", {"page": RawPage(WORD.encode())}), True),
        (Lines.of([RawPage(WORD.encode())]), True),
        (Lines(memoryview(bytearray(WORD.encode()))), False),
    ],
)
def test_the_word_is_found_in_bytes_in_tables_and_in_what_is_made_of_such(
    value: object, is_held: bool
) -> None:
    assert holds_word(value) is is_held


@pytest.mark.slow
def test_a_page_enters_few_modules_and_none_twice() -> None:
    walk = walk_of_a_page()

    assert len(walk) < MOST_MODULES
    assert set(walk.values()) == {1}


@pytest.mark.slow
def test_the_walks_are_as_contributing_shows_them(tmp_path: Path) -> None:
    text = CONTRIBUTING.read_text("utf-8")

    assert fill(text, lists(tmp_path)) == text, "run: poe walk"
