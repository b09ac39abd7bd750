"""Unusual sales: each links to what was sold in those days, of whom it was."""

import pytest

from support.warehouses.javascript import Scripts

WEEK = "period=2026-06-24..2026-06-30&compare=period"


@pytest.fixture
def page(scripts: Scripts) -> Scripts:
    scripts.define("wholesale.elements = { h: () => null }; wholesale.shown = { where: {} };")
    scripts.load("todo/tasks")
    return scripts


@pytest.mark.parametrize(
    ("dimension", "member", "first", "link"),
    [
        ("sales", "sales", "2026-06-24", f"#/sales?{WEEK}"),
        ("vendor", "v1", "2026-06-24", f"#/sales?{WEEK}&vendor=v1"),
        ("vendor", "a&b, c", "2026-06-24", f"#/sales?{WEEK}&vendor=a%26b%252C%20c"),
        (
            *("account_manager", "m1", "2026-06-30"),
            "#/orders?period=2026-06-30..2026-06-30&compare=period&account_manager=m1",
        ),
        ("product", "p/1", "2026-06-24", f"#/product/p%2F1?{WEEK}"),
    ],
)
def test_what_is_unusual_links_to_what_was_sold_then(
    page: Scripts, dimension: str, member: str, first: str, link: str
) -> None:
    row = {"dimension": dimension, "member": member, "first_day": first, "last_day": "2026-06-30"}
    assert page.call("todo.whyOf", row) == link
