"""The dashboard's figures, in a real browser: what the command answers, whatever is chosen."""

import csv
import os
import random
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from urllib.parse import urlencode

import duckdb
import pytest
from playwright.sync_api import expect

from support.warehouses.browsing import Visit
from support.warehouses.publication import Publication
from wholesale_elt.figures import LINES, ORDERS, Question, ask, read_metrics

pytestmark = pytest.mark.browser

STATES = int(os.environ.get("STATES", "40"))
"""Random views that are compared; `poe views` takes three hundred."""
PERIODS = (
    *("all_time", "last_7_days", "last_28_days", "last_90_days", "last_12_months", "this_month"),
    *("this_quarter", "this_year", "2026", "2026-03", "2026-02-11..2026-04-20"),
)
SALES = ("sales", "orders", "active_buyers", "average_order_value")


def choose(luck: random.Random, publication: Publication) -> Question:
    """A period, a comparison and filters, at random."""
    vendor, state = publication.busiest()
    [(buyer,)] = publication.rows(
        "select buyer_id from wholesale_bi.rpt_orders where buyer_id is not null"
        " group by all order by count(*) desc, buyer_id limit 1"
    )
    members = {"vendor": vendor, "state": state, "buyer": buyer, "payment_status": "paid"}
    names = luck.sample(sorted(members), luck.choice((0, 0, 1, 2)))
    return Question(
        metrics=SALES,
        period=luck.choice(PERIODS),
        compare=luck.choice(("year", "year", "period", "none")),
        where={name: [members[name]] for name in names},
    )


def address(page: str, question: Question, **own: str) -> str:
    where = {name: ",".join(map(str, keys)) for name, keys in question.where.items()}
    choices = {"period": question.period, "compare": question.compare, **where, **own}
    return f"{page}?{urlencode(choices)}"


def answer(publication: Publication, question: Question) -> Mapping[str, Decimal | None]:
    with duckdb.connect(str(publication.folder / "wholesale.duckdb"), read_only=True) as connection:
        total = ask(connection, question).total
    return {
        name: None if total[name] is None else Decimal(total[name]) for name in question.metrics
    }


def shown(window: Visit, names: Sequence[str]) -> Mapping[str, Decimal | None]:
    return {name: window.figure(name) for name in names}


def without_comparison(question: Question) -> Question:
    return Question(metrics=question.metrics, period=question.period, where=question.where)


def test_figures_are_those_of_the_command_whatever_is_chosen(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    luck = random.Random(7)
    window = visit()
    counted = [name for name, metric in read_metrics().items() if metric.model in (ORDERS, LINES)]
    for _ in range(STATES):
        question = choose(luck, publication)
        if luck.random() < 0.5:
            window.open(address("sales", question))
            expected = answer(publication, without_comparison(question))
            assert shown(window, SALES) == expected, question
        else:
            metric = luck.choice(counted)
            window.open(address("explore", question, metric=metric))
            own = Question(metrics=[metric], period=question.period, where=question.where)
            assert shown(window, [metric]) == answer(publication, own), own


def test_the_list_behind_the_figures_has_their_orders(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    window = visit()
    window.open("sales?period=last_90_days")
    sales = window.figure("sales")
    window.page.get_by_role("link", name="behind these figures").click()
    window.settle()

    assert window.figure("sales") == sales


def test_a_table_is_saved_under_what_it_is_of_with_its_headings(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    window = visit()
    window.open("sales?period=last_90_days")
    section = window.page.get_by_role("region", name="Vendors")
    with window.page.expect_download() as download:
        section.get_by_role("button", name="Save as CSV").click()

    assert download.value.suggested_filename == "vendors_last_90_days.csv"
    with open(download.value.path(), encoding="utf-8-sig", newline="") as file:
        found = {row["Vendor"]: Decimal(row["Sales"]) for row in csv.DictReader(file)}
    with duckdb.connect(str(publication.folder / "wholesale.duckdb"), read_only=True) as connection:
        rows = ask(
            connection, Question(metrics=["sales"], by=["vendor"], period="last_90_days")
        ).rows
    assert sorted(found.values()) == sorted(row["sales"] for row in rows)


def test_a_site_on_a_server_has_the_same_figures(
    visit: Callable[..., Visit], publication: Publication, address_of_site: str
) -> None:
    window = visit(address_of_site)
    window.open("sales")
    question = Question(metrics=SALES, period="last_12_months")
    assert shown(window, SALES) == answer(publication, question)
    expect(window.page.locator(".failure")).to_have_count(0)
