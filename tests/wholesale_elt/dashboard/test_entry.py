"""The page before any script: its figures, its links, and nothing that is not asked for."""

import re
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from support.warehouses.marts import Marts
from support.warehouses.sites import Site, publish
from wholesale.errors import WholesaleError
from wholesale_elt.dashboard.entry import (
    NOTHING,
    Markup,
    count_text,
    headlines,
    money_text,
    navigation,
    notice,
    render,
    time_text,
)


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


def test_each_page_has_a_link() -> None:
    pages = [{"name": "front", "title": "At <first>"}, {"name": "back", "title": "Back"}]
    assert [line.strip() for line in navigation(pages).split("\n")] == [
        '<a href="#/front" aria-current="page"><span>At &lt;first&gt;</span></a>',
        '<a href="#/back"><span>Back</span></a>',
    ]


def test_the_main_figures_are_those_of_the_last_twelve_months(site: Site) -> None:
    [(first, last)] = site.answer(
        "select first_day, last_day from wholesale_bi.rpt_periods"
        " where period_key = 'last_12_months'"
    )
    [(sales, orders, buyers)] = site.answer(
        "select sum(sub_total), count(*), count(distinct buyer_id) from wholesale_bi.rpt_orders"
        f" where ordered_date between '{first}' and '{last}'"
    )
    with duckdb.connect(str(site.database), read_only=True) as connection:
        days, found = headlines(connection, "2000-01-01", last, "EUR")
        covered, _ = headlines(connection, last, last, "EUR")
    assert days == f"Last 12 months, {first} to {last}"
    assert covered == f"Last 12 months, {last} to {last}"
    for text in (
        *(money_text(Decimal(sales), "EUR"), count_text(orders), count_text(buyers)),
        money_text(Decimal(sales) / orders, "EUR"),
    ):
        assert f'<span class="figure">{text}</span>' in found


def test_sales_of_orders_that_have_no_amount_are_not_known(built: Marts, tmp_path: Path) -> None:
    site = publish(
        built, tmp_path, "update wholesale_marts.fct_orders set sub_total = null, total = null"
    )
    with duckdb.connect(str(site.database), read_only=True) as connection:
        _, found = headlines(connection, None, None, "EUR")
    sales, orders, *_ = re.findall(r'<span class="figure">([^<]*)</span>', found)
    assert (sales, int(orders.replace(",", "")) > 0) == (NOTHING, True)


def test_an_account_without_orders_says_so() -> None:
    assert "There are no orders" in notice(None, None)


@pytest.mark.parametrize(("days", "is_said"), [(None, False), (14, False), (1_015, True)])
def test_a_business_that_stopped_shows_that_it_stopped(days: int | None, is_said: bool) -> None:
    last = "2026-06-16"
    found = notice(last, days)
    assert bool(found) == is_said
    assert is_said == (f"last order came in on {last}, 1,015 days before all was read:" in found)


def test_a_sum_over_several_currencies_is_told_above_all_figures() -> None:
    last = "2026-06-16"
    assert notice(last, 1, []) == ""
    found = notice(last, 1_015, ["EUR", "<b>"])
    assert found.count("<p ") == 2
    assert "(EUR, &lt;b&gt;)" in found
