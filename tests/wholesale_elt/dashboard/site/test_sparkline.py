"""A sparkline is the course of a figure: from nothing at the bottom to the largest at the top."""

from support.warehouses.javascript import Scripts


def test_the_largest_value_stands_at_the_top_and_nothing_at_the_bottom(scripts: Scripts) -> None:
    assert scripts.call("sparkline.path", ["0", "12.5", None, "25"]) == (
        "M2.0 22.0L34.0 12.0L66.0 22.0L98.0 2.0"
    )


def test_nothing_at_all_is_a_line_at_the_bottom(scripts: Scripts) -> None:
    assert scripts.call("sparkline.path", ["0", "0"]) == "M2.0 22.0L98.0 22.0"
