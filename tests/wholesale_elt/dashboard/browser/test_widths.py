"""At every width all names and figures are whole, on every page, whatever stands in them."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from support.warehouses.browsing import Visit
from support.warehouses.marts import Marts
from support.warehouses.measuring import WIDTHS, faults
from support.warehouses.publication import Publication
from support.warehouses.sites import publish
from wholesale_elt.dashboard.pages import PAGES

pytestmark = pytest.mark.browser

TASKS = (
    "due",
    "silent",
    "unusual",
    "overdue",
    "unconfirmed",
    "old",
    "near_misses",
    "below_list",
    "unknown_state",
)
OWN = (
    "sales?period=all_time",
    "products?by=category&period=all_time",
    "explore?shape=time&period=all_time",
    "fulfilment/sent",
    "next?show=without&by=account_manager&month=following",
)
"""Views that lay out something that no page shows at first."""
OBJECTS = {
    "order": "select order_number from wholesale_bi.rpt_orders where order_number is not null"
    " order by sub_total desc nulls last, order_id limit 1",
    "buyer": "select buyer_id from wholesale_bi.rpt_orders group by 1 order by count(*) desc, 1"
    " limit 1",
    "vendor": "select vendor_id from wholesale_bi.rpt_orders group by 1 order by count(*) desc, 1"
    " limit 1",
    "product": "select product_id from wholesale_bi.rpt_catalogue"
    " order by sales_amount desc nulls last, product_id limit 1",
    "category": "select category_name from wholesale_bi.rpt_catalogue"
    " where category_name is not null order by sales_amount desc nulls last, product_id limit 1",
}
LETTERS = "Wallenstein" * 28
"""A name of three hundred letters, and no space in it."""
HUGE = "987654321160609.25"
UNDER_HEADINGS = """[...document.querySelectorAll(".moved-side")].flatMap((side) => {
    const [head, row] = [side.querySelector(".moved-head"), side.querySelector("li:not(.rest)")];
    const boxOf = (of, part) => of.querySelector(part).getBoundingClientRect();
    return row ? [".moved-share", "b"].map((part) => {
        const [above, below] = [boxOf(head, part), boxOf(row, part)];
        return Math.min(Math.abs(above.left - below.left), Math.abs(above.right - below.right));
    }) : [];
})"""
"""How far the headings of What moved are from the edge of what stands below them."""
DRAW_BARS = """(sales) => {
    const { charts, elements, days, shown } = wholesale;
    const rows = sales.map((value, place) => ({
        day: `2025-${String(place + 1).padStart(2, "0")}-01`, sales: value }));
    const span = { first: days.number("2025-01-01"), last: days.number("2025-12-31") };
    const place = document.querySelector("main .chart").parentElement;
    elements.render(null, document.querySelector("main"));
    document.querySelector("main").append(place);
    elements.render(elements.h`<${charts.Bars} rows=${rows} metric="sales" grain="month"
        span=${span} before=${null} view=${shown} />`, place);
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
"""A chart of a year, and nothing else."""
DRAW_RUNNING = """([before, may]) => {
    const { charts, elements } = wholesale;
    const main = document.querySelector("main");
    elements.render(elements.h`<${charts.Running} now=${["100", "200", "300"]} length=${5}
        may=${may} before=${["1", "2", before]} labels=${{ now: "Jun", before: "May" }} />`, main);
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
"""The running total of a month and where it may end, against one that came to so much."""
MAY_END = {
    **{"low_50": "310", "high_50": "330", "low_80": "300", "high_80": "350"},
    **{"low_90": None, "high_90": None},
}
WHAT_BREAKS = {
    "cut": ".words { overflow: hidden; width: 40px !important; white-space: nowrap !important; }",
    "beyond the window": ".tiles { width: 140vw; }",
    "page scrolls sideways": ".table table { width: 200vw !important; }",
    "out of its cell": ".tile .figure { font-size: 120px !important; white-space: nowrap; }",
    "outside its chart": ".chart text { font-size: 60px !important; }",
    "texts overlap": ".chart text { font-size: 30px !important; }",
    "tiles overlap": ".tile { margin-right: -40px; }",
    "line beside a tile": ".tile { border-left: 0 !important; }",
    "line above a tile": ".tile { border-top: 1px solid !important; }",
    "text over a bar": ".chart .written { transform: translateY(40px); }",
    "bars end apart": ".table tr:nth-child(2) .bar-number { padding-left: 40px; }",
    "cells overlap": ".table td { position: relative; left: -60px; }"
    " .table td:last-child { left: 0; }",
    "narrow name": ".table .in-name { min-width: 0 !important; }"
    " .words { max-width: 6ch !important; min-width: 0; } .table .bar { width: 90% !important; }",
}


def views_of(publication: Publication) -> list[str]:
    """Every page, one of each kind of object, and the list of each kind of task."""
    keys = {page: publication.rows(sql) for page, sql in OBJECTS.items()}
    return [
        *(page.name for page in PAGES),
        *OWN,
        *(f"today/{kind}" for kind in TASKS),
        *(f"{page}/{quote(str(key), safe='')}" for page, rows in keys.items() for (key,) in rows),
    ]


def check(window: Visit, views: list[str], widths: tuple[int, ...] = WIDTHS) -> None:
    """One window is opened once, and made wider and narrower."""
    window.open(views[0])
    found = {}
    for view in views:
        window.go(view)
        expect(window.page.locator(".failure")).to_have_count(0)
        for width in widths:
            window.page.set_viewport_size({"width": width, "height": 900})
            window.page.evaluate("new Promise((done) => requestAnimationFrame(() => done()))")
            found[f"{view} at {width}"] = faults(window.page)
    assert {place: faulty for place, faulty in found.items() if faulty} == {}


def test_nothing_is_cut_at_any_width(visit: Callable[..., Visit], publication: Publication) -> None:
    check(visit(), views_of(publication))


def test_neither_endless_names_nor_huge_amounts_are_cut(
    visit: Callable[..., Visit], built: Marts, tmp_path: Path
) -> None:
    site = publish(
        built,
        tmp_path,
        f"update wholesale_marts.dim_buyers set company_name = '{LETTERS}'",
        f"update wholesale_marts.dim_vendors set vendor_name = 'The {LETTERS}'",
        f"update wholesale_marts.fct_order_lines set item_title = '{LETTERS}'",
        f"update wholesale_marts.fct_orders set sub_total = {HUGE} where order_id in"
        " (select order_id from wholesale_marts.fct_orders where is_sale"
        " order by ordered_at desc limit 5)",
        f"update wholesale_bi.rpt_orders set sub_total = {HUGE}, buyer_company_name = '{LETTERS}'"
        " where order_id in (select order_id from wholesale_marts.fct_orders"
        f" where sub_total = {HUGE})",
    )
    published = Publication(site.database.parent)
    check(visit(tmp_path), views_of(published))


def test_a_business_of_one_order_fits(visit: Callable[..., Visit], one_order: Publication) -> None:
    check(visit(one_order.folder), views_of(one_order), WIDTHS[::2])


@pytest.mark.parametrize("kind", WHAT_BREAKS)
def test_what_would_not_fit_is_found(visit: Callable[..., Visit], kind: str) -> None:
    window = visit()
    window.page.set_viewport_size({"width": 900, "height": 900})
    window.open("vendors?period=all_time")
    assert faults(window.page) == []
    window.page.add_style_tag(content=WHAT_BREAKS[kind])
    assert kind in {fault for fault, *_ in faults(window.page)}


@pytest.mark.parametrize("width", [390, 1_440])
@pytest.mark.parametrize("last", ["1", "1234567.8", "98765432"])
def test_what_is_written_at_a_last_bar_lies_over_no_other(
    visit: Callable[..., Visit], width: int, last: str
) -> None:
    window = visit()
    window.page.set_viewport_size({"width": width, "height": 900})
    window.open("sales")
    for sales in (["99999999"] * 11, ["99999999", *["5"] * 9, "4"], ["5"] * 10 + ["99999999"]):
        window.page.evaluate(DRAW_BARS, [*sales, last])
        expect(window.page.locator(".chart .written .strong").last).to_be_visible()
        assert faults(window.page) == [], sales


def test_a_month_that_may_end_near_the_one_before_is_named_within_its_chart(
    visit: Callable[..., Visit],
) -> None:
    window = visit()
    window.open("today")
    for before in ("299.9", "300", "300.1", "1", "9000"):
        for may in (None, MAY_END):
            window.page.evaluate(DRAW_RUNNING, [before, may])
            assert faults(window.page) == [], (before, may)


def test_a_list_looks_at_its_own_width_and_says_what_it_leaves_out(
    visit: Callable[..., Visit],
) -> None:
    window = visit()
    window.page.set_viewport_size({"width": 1_440, "height": 900})
    window.open("buyers?period=all_time")
    table = window.page.get_by_role("table", name="Buyers", exact=True)
    told = window.page.locator(".table", has=table).locator(".not-shown")
    place = table.get_by_role("columnheader", name="Place")
    expect(place).to_be_visible()
    expect(told).to_be_hidden()
    # The window stays as it is: it is the list that gets narrow.
    window.page.evaluate("document.querySelector('main').style.width = '700px'")
    expect(place).to_be_hidden()
    expect(told).to_contain_text("place")
    for kept in ("Buyer", "Silent for", "Sales"):
        expect(table.get_by_role("columnheader", name=kept, exact=True)).to_be_visible()


@pytest.mark.parametrize("width", [390, 1_024, 1_440])
def test_headings_of_what_moved_stand_above_their_columns(
    visit: Callable[..., Visit], width: int
) -> None:
    window = visit()
    window.page.set_viewport_size({"width": width, "height": 900})
    window.open("sales?period=last_90_days&compare=period")
    apart = window.page.evaluate(UNDER_HEADINGS)
    assert len(apart) == 4
    assert max(apart) <= 1


def test_a_row_of_a_phone_has_its_name_and_the_figure_sorted_by_in_one_line(
    visit: Callable[..., Visit],
) -> None:
    window = visit(size="phone")
    window.open("fulfilment?period=all_time")
    row = window.page.get_by_role("table", name="Orders by state").locator("tbody tr").first
    name, figure = (row.locator(part).bounding_box() for part in (".in-name", ".in-figure"))
    assert name
    assert figure
    assert abs(name["y"] - figure["y"]) < 4
    assert name["x"] < figure["x"]
    assert row.locator(".in-figure").get_attribute("data-metric") == "amount"


def test_filters_stand_behind_a_button_with_their_number_on_a_phone(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    [(vendor, state)] = [publication.busiest()]
    window = visit(size="phone")
    window.open(f"sales?vendor={quote(vendor)}&state={quote(state)}")
    controls = window.page.locator(".controls")
    button = controls.get_by_role("button", name="Filters 2")
    period, compare = (
        controls.get_by_role("button", name=name) for name in ("Period", "Compared with")
    )
    tops = {round(box["y"]) for one in (period, compare, button) if (box := one.bounding_box())}
    assert max(tops) - min(tops) <= 1
    expect(controls.locator(".chip").first).to_be_hidden()
    button.click()
    expect(controls.locator(".chip")).to_have_count(2)
    expect(controls.locator(".chip").first).to_be_visible()
