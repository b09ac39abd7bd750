"""What is said of the service stays on its line, whatever the service says."""

import pytest

from wholesale.errors import legible, one_line


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("a\n  b\tc", "a b c"),
        ("\x1b[2J red", "\\x1b[2J red"),
        ("\u202eabc\0", "\\u202eabc\\x00"),
        ("Größe 😀", "Größe 😀"),
    ],
)
def test_a_text_is_one_line_without_what_cannot_be_printed(said: str, shown: str) -> None:
    assert one_line(said) == shown


def test_a_long_name_is_cut_where_it_is_shown() -> None:
    assert legible("n" * 80) == "n" * 80
    assert legible("n" * 300) == f"{'n' * 80}…"


def test_a_text_that_is_cut_says_so() -> None:
    assert one_line("(a b)", 5) == "(a b)"
    assert one_line("(a\n b c)", 4) == "(a b…"
    assert one_line("n" * 301) == f"{'n' * 300}…"
    assert one_line("n" * 301, None) == "n" * 301
