"""The dashboard's figures, in a real browser: what the command answers, whatever is chosen."""

import csv
import os
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from itertools import cycle, groupby, islice
from urllib.parse import quote, urlencode

import duckdb
import pytest
from playwright.sync_api import expect

from support.warehouses.browsing import Visit
from support.warehouses.publication import Publication
from wholesale_elt.figures import (
    ALL_TIME,
    FACTS,
    LINES,
    ORDERS,
    Question,
    ask,
    compact_in,
    explain,
    line_of,
    read_metrics,
)

pytestmark = pytest.mark.browser

STATES = int(os.environ.get("STATES", "60"))
"""Random views that are compared; `poe views` takes three hundred."""
PERIODS = (
    *("all_time", "last_7_days", "last_28_days", "last_90_days", "last_12_months", "this_month"),
    *("this_quarter", "this_year"),
)
SALES = ("sales", "orders", "active_buyers", "average_order_value")
KEYS = {
    "buyer": "select distinct buyer_id from wholesale_bi.rpt_orders",
    "product": "select distinct item_id from wholesale_marts.fct_order_lines",
    "category": "select distinct category_name from wholesale_bi.rpt_catalogue"
    " where order_count > 0",
    "vendor": "select distinct vendor_id from wholesale_bi.rpt_orders",
}
"""Objects that have figures, each a dimension."""
VIEWS = ("sales", "explore", "buyers", "products", "vendors", "orders", *KEYS, "today")
METRICS = read_metrics()
NEW = ("new_buyers",)
"""Not known on a page where not all of as many days before the period are."""
Cell = tuple[str, str, str, Decimal]
DIMENSIONS = ("vendor", "buyer", "state", "order_status", "buyer_kind")
COUNTED = [name for name, metric in METRICS.items() if metric.model in (ORDERS, LINES)]


def choose(luck: random.Random, publication: Publication) -> Question:
    """A period, a comparison and filters, at random: all of them of one order that there is."""
    orders = publication.rows(
        "select vendor_id as vendor, state, buyer_id as buyer, payment_status, ordered_date"
        " from wholesale_bi.rpt_orders where ordered_date <= (select figures_up_to from"
        " wholesale_bi.rpt_headlines) order by order_id"
    )
    *members, day = luck.choice(orders)
    known = {
        name: key
        for name, key in zip(("vendor", "state", "buyer", "payment_status"), members, strict=True)
        if key is not None
    }
    names = luck.sample(sorted(known), min(len(known), luck.choice((0, 0, 1, 2))))
    return Question(
        metrics=SALES,
        period=luck.choice((*PERIODS, f"{day:%Y}", f"{day:%Y-%m}", days_around(luck, day))),
        compare=luck.choice(("year", "year", "period", "none")),
        where={name: [known[name]] for name in names},
    )


def days_around(luck: random.Random, day: date) -> str:
    first, last = (timedelta(days=luck.randint(0, 60)) for _ in range(2))
    return f"{day - first}..{day + last}"


def view_of(
    luck: random.Random, publication: Publication, page: str, *, is_whole: bool = False
) -> tuple[str, Question]:
    """A view of a page, and what its tiles are to answer; or a whole one, without a filter."""
    question = choose(luck, publication)
    if is_whole:
        question = replace(question, period=ALL_TIME, where={})
    if page == "today":
        return page, Question(metrics=SALES, period="this_month")
    if page == "explore":
        own = {"metric": luck.choice(COUNTED), "by": luck.choice(DIMENSIONS)}
        return address(page, question, **own), question
    if page in KEYS:
        [key] = question.where.get(page) or [luck.choice(keys_of(publication, page))]
        where = {name: keys for name, keys in question.where.items() if name != page}
        return (
            address(f"{page}/{quote(str(key), '')}", replace(question, where=where)),
            replace(question, where={**where, page: [key]}),
        )
    return address(page, question), question


def keys_of(publication: Publication, page: str) -> list[str]:
    return sorted(str(key) for (key,) in publication.rows(KEYS[page]) if key is not None)


def address(page: str, question: Question, **own: str) -> str:
    where = {name: ",".join(map(str, keys)) for name, keys in question.where.items()}
    said = {"period": question.period, "compare": question.compare, **where, **own}
    return f"{page}?{urlencode(said)}"


def answer(
    publication: Publication, question: Question, metrics: Iterable[str] = SALES
) -> Mapping[str, Decimal | None]:
    found: dict[str, Decimal | None] = {}
    with duckdb.connect(str(publication.folder / "wholesale.duckdb"), read_only=True) as connection:
        for _, names in groupby(sorted(metrics, key=model_of), key=model_of):
            asked = list(names)
            total = ask(
                connection, Question(metrics=asked, period=question.period, where=question.where)
            ).total
            found |= {name: None if total[name] is None else Decimal(total[name]) for name in asked}
    return found


def answers(publication: Publication, question: Question, cells: Sequence[Cell]) -> Sequence[Cell]:
    """The same cells as the command answers; what it does not name was nothing."""
    found: dict[tuple[str, str | None, str], Decimal] = {}
    asked = {(by, metric) for by, _, metric, _ in cells}
    with duckdb.connect(str(publication.folder / "wholesale.duckdb"), read_only=True) as connection:
        for by, metric in asked:
            of = Question(metrics=[metric], by=[by], period=question.period, where=question.where)
            for row in ask(connection, of).rows:
                if row[metric] is not None:
                    found[by, row[by], metric] = Decimal(row[metric])
    return [
        (by, key, metric, found.get((by, key or None, metric), Decimal()))
        for by, key, metric, _ in cells
    ]


def is_asked(cell: Cell) -> bool:
    """Whether the command has its metric and its dimension: it has none for sizes of a product."""
    by, _, metric, _ = cell
    return metric in METRICS and by in FACTS[model_of(metric)].dimensions


def model_of(metric: str) -> str:
    return METRICS[metric].model


def test_figures_are_those_of_the_command_whatever_is_chosen(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    luck = random.Random(7)
    window = visit()
    window.open("sales")
    tiled: set[str] = set()
    listed: set[str] = set()
    for number, page in enumerate(islice(cycle(VIEWS), STATES)):
        is_whole = number // len(VIEWS) == 1  # of all time, in which each object sold something
        view, question = view_of(luck, publication, page, is_whole=is_whole)
        window.go(view)
        shown = {name: each for name, each in window.figures().items() if name in METRICS}
        if "new_buyers" in shown and is_early(publication, question):
            assert shown.pop("new_buyers") is None, view
        assert shown == answer(publication, question, shown), view
        cells = [cell for cell in window.cells() if is_asked(cell)]
        assert cells == answers(publication, question, cells), view
        tiled |= {page} if shown else set()
        listed |= {page} if cells else set()
    assert tiled == set(VIEWS)
    # A small account may have objects that sold nothing.
    objects = set(KEYS) if "PUBLISHED" in os.environ else {"buyer"}
    assert listed >= set(VIEWS) - {"orders", "today", *objects}


def is_early(publication: Publication, question: Question) -> bool:
    """Whether it is not known which buyers are new, as not all of as many days before are."""
    asked = replace(question, metrics=NEW, compare="period")
    if question.period == ALL_TIME:
        return False
    with duckdb.connect(str(publication.folder / "wholesale.duckdb"), read_only=True) as connection:
        before = ask(connection, asked).span_before
    return before is not None and not before.is_known


def lines_of(publication: Publication, question: Question) -> Mapping[str, str]:
    """Why the figures of a question are others than before, as the command says it."""
    with duckdb.connect(str(publication.folder / "wholesale.duckdb"), read_only=True) as connection:
        [(currency,)] = connection.sql("select currency from wholesale_bi.rpt_headlines").fetchall()
        return {
            each.metric: line_of(each, compact_in(currency))
            for each in explain(connection, question)
        }


def test_a_tile_says_why_its_figure_changed_as_the_command_does(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    luck = random.Random(11)
    window = visit()
    window.open("sales")
    told = 0
    for page in islice(cycle(("sales", "vendors", "vendor", "today")), max(8, STATES // 5)):
        view, question = view_of(luck, publication, page)
        if page == "today":
            question = replace(question, compare="period")
        window.go(view)
        shown = {
            name: text.translate(
                {0x2212: "-", 0x202F: " ", **dict.fromkeys((0x2060, 0x2068, 0x2069))}
            )
            for name, text in window.page.locator("[data-tile]:has(.why)").evaluate_all(
                "(tiles) => tiles.map((tile) =>"
                " [tile.dataset.tile, tile.querySelector('.why').textContent])"
            )
        }
        expected = {} if question.period == "all_time" else lines_of(publication, question)
        assert shown == {name: line for name, line in expected.items() if name in SALES}, view
        told += len(shown)
    assert told > 0


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

    with duckdb.connect(str(publication.folder / "wholesale.duckdb"), read_only=True) as connection:
        answer = ask(connection, Question(metrics=["sales"], by=["vendor"], period="last_90_days"))
    assert answer.span
    days = f"{answer.span.first}..{answer.span.last}"
    assert download.value.suggested_filename == f"vendors_{days}.csv"
    with open(download.value.path(), encoding="utf-8-sig", newline="") as file:
        found = {row["Vendor"]: Decimal(row["Sales"]) for row in csv.DictReader(file)}
    assert sorted(found.values()) == sorted(row["sales"] for row in answer.rows)


def test_a_site_on_a_server_has_the_same_figures(
    visit: Callable[..., Visit], publication: Publication, address_of_site: str
) -> None:
    window = visit(address_of_site)
    window.open("sales")
    assert window.figures() == answer(publication, Question(metrics=SALES, period="last_12_months"))
    expect(window.page.locator(".failure")).to_have_count(0)


UNPREPARED = "sales?period=last_90_days"


def test_rows_are_counted_beside_the_page(
    visit: Callable[..., Visit], publication: Publication, address_of_site: str
) -> None:
    """In a worker, from a disk and from a server, so that the page stays free meanwhile."""
    window = visit(address_of_site)
    window.open("sales")
    assert not window.page.workers  # what a first view asks is counted already
    window.go(UNPREPARED)
    assert len(window.page.workers) == 1
    assert window.figures() == answer(publication, Question(metrics=SALES, period="last_90_days"))


COUNT_DRAWINGS = """() => {
    const own = wholesale.Table;
    wholesale.drawings = 0;
    wholesale.Table = (props) => { wholesale.drawings += 1; return own(props); };
}"""


def test_a_list_is_drawn_with_its_figures_not_with_each_month_that_is_counted(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    window = visit()
    window.open("products")
    window.page.evaluate(COUNT_DRAWINGS)
    window.go("products?period=all_time")

    [(months,)] = publication.rows(
        "select count(distinct date_trunc('month', ordered_date)) from wholesale_bi.rpt_orders"
    )
    assert 0 < window.page.evaluate("wholesale.drawings") < months


def test_rows_are_counted_on_the_page_where_no_worker_can_be_made(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    window = visit()
    window.page.add_init_script("delete window.Worker")
    window.open(UNPREPARED)
    assert window.figures() == answer(publication, Question(metrics=SALES, period="last_90_days"))
    expect(window.page.locator(".failure")).to_have_count(0)


def test_a_list_of_orders_is_shown_some_at_a_time_and_sorted_as_a_whole(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    window = visit()
    window.open("orders")
    rows = window.page.locator("main table tbody tr")
    asked = Question(metrics=SALES, period="last_12_months")
    listed = int(window.figure("listed") or 0)
    assert window.figure("sales") == answer(publication, asked)["sales"]
    assert rows.count() == min(50, listed)
    window.page.get_by_role("button", name="Amount").click()
    window.settle()
    [(most,)] = publication.rows(
        "select max(sub_total) from wholesale_marts.fct_orders, wholesale_marts.dim_as_of"
        " where ordered_date > figures_up_to - interval 1 year and ordered_date <= figures_up_to"
    )
    shown = rows.first.locator("[data-metric=amount]").get_attribute("data-exact")
    assert Decimal(str(shown)) == most
    window.page.get_by_role("button", name="Show more").click()
    window.settle()
    assert rows.count() == min(150, listed)
