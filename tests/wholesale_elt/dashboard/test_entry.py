"""The page before any script: its figures, its links, and nothing that is not asked for."""

from decimal import Decimal

import pytest

from wholesale.errors import WholesaleError
from wholesale_elt.dashboard.entry import (
    Markup,
    count_text,
    end_of_figures,
    headlines,
    money_text,
    navigation,
    notice,
    render,
    time_text,
)
from wholesale_elt.dashboard.page import Column, DashboardPage, Headline


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    [
        ("1234567.5", "EUR", "EUR\u00a01,234,568"),
        ("-1234.5", "USD", "USD\u00a0-1,235"),
        ("999.995", "XXX", "1,000.00"),
        ("12.345", "XXX", "12.35"),
        ("0", "EUR", "EUR\u00a00.00"),
    ],
)
def test_money_is_read_as_people_write_it(amount: str, currency: str, text: str) -> None:
    assert money_text(Decimal(amount), currency) == text


def test_what_is_not_known_is_a_dash() -> None:
    assert [money_text(None, "EUR"), count_text(None), time_text(None)] == ["\u2013"] * 3


def test_a_time_is_read_to_the_minute_in_utc() -> None:
    assert time_text("2026-01-02T23:04:59.123456-02:00") == "2026-01-03 01:04 UTC"


def test_a_template_that_asks_for_what_there_is_not_is_refused() -> None:
    assert render("<p>{{name}}</p>", {"name": "<&\">'"}) == "<p>&lt;&amp;&quot;&gt;&#x27;</p>"
    with pytest.raises(WholesaleError, match="asks for other, which has no value"):
        render("{{other}}", {"name": ""})


def test_only_markup_is_not_escaped() -> None:
    assert render("{{link}} {{text}}", {"link": Markup("<a>"), "text": "<a>"}) == "<a> &lt;a&gt;"


def test_links_and_headlines_are_those_of_the_registry() -> None:
    tile = Headline(
        name="sales",
        label="Sales & more",
        explanation="",
        model="rpt_sales",
        columns=(Column("amount", "amount"), Column("order_count", "count")),
        figure="{amount} of {order_count}",
        note="",
    )
    front = DashboardPage(name="front", title="At <first>", question="", tiles=(tile,))
    back = DashboardPage(name="back", title="Back", question="", tiles=())

    assert navigation((front, back)).split("\n") == [
        '<li><a href="#/front" aria-current="page">At &lt;first&gt;</a></li>',
        '        <li><a href="#/back">Back</a></li>',
    ]
    assert headlines(front, {"amount": "1234.5", "order_count": 1200}, "EUR") == (
        '<section class="tile headline" aria-label="Sales &amp; more"><h2>Sales &amp; more</h2>'
        '<p class="figure">EUR\u00a01,235 of 1,200</p></section>'
    )


def test_an_account_without_orders_says_so() -> None:
    assert end_of_figures(None, None) == "No orders"
    assert "This account has no orders" in notice(None, None)


@pytest.mark.parametrize(("days", "is_said"), [(None, False), (14, False), (1_015, True)])
def test_a_business_that_stopped_shows_that_it_stopped(days: int | None, is_said: bool) -> None:
    last = "2026-06-16"
    assert end_of_figures(last, last) == f"Figures up to {last}"
    assert end_of_figures("2026-06-30", last) == f"Figures up to 2026-06-30, last order {last}"
    found = notice(last, days)
    assert bool(found) == is_said
    assert is_said == (f"The last order was made on {last}, 1,015 days before the sync:" in found)


def test_a_sum_over_several_currencies_is_told_above_all_figures() -> None:
    last = "2026-06-16"
    assert notice(last, 1, []) == ""
    found = notice(last, 1_015, ["EUR", "<b>"])
    assert found.count("<p ") == 2
    assert "(EUR, &lt;b&gt;)" in found
