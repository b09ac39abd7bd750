"""The dashboard for everybody, in a real browser: no barrier, no hidden doubt, no data run."""

import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from pypdf import PdfReader

from support.warehouses.browsing import SIZES, Visit
from support.warehouses.marts import Marts
from support.warehouses.publication import ODD_NAME, Publication
from support.warehouses.sites import publish, publish_nothing
from wholesale_elt.dashboard.pages import PAGES

pytestmark = pytest.mark.browser
PAPERS = ("A4", "Letter")
NARROWEST = 688
"""What A4 is wide between its margins, in pixels."""
CUT = """
    [...document.querySelectorAll("body, main *")]
        .filter((each) => /auto|scroll|visible/.test(getComputedStyle(each).overflowX)
            && each.checkVisibility() && each.getBoundingClientRect().right > innerWidth + 1)
        .map((each) => each.outerHTML.slice(0, 120))
"""
"""What reaches beyond the right edge."""
CUT_NUMBERS = """
    [...document.querySelectorAll("main :is(td.numeric, td.bar, .figure, .money)")]
        .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
        .map((each) => ["cut number", each.outerHTML.slice(0, 120)])
"""
BROKEN_NUMBERS = """
    [...document.querySelectorAll("main :is(td.numeric, td.bar, th.narrow, .figure, .money)")]
        .filter((each) => {
            const range = document.createRange();
            range.selectNodeContents(each);
            const tops = [...range.getClientRects()].map(({ top }) => Math.round(top / 8));
            return new Set(tops).size > 3;
        })
        .map((each) => ["broken number", each.outerHTML.slice(0, 120)])
"""
"""Those that go over more than three lines."""
IS_WITHIN = "document.documentElement.scrollWidth <= innerWidth"
RING = """
    (() => {
        const of = (each) => {
            const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(each);
            return [outlineStyle, outlineWidth, outlineColor].join(" ");
        };
        const kept = document.activeElement;
        const focused = of(kept);
        kept.blur();
        const unfocused = of(kept);
        kept.focus({ preventScroll: true });
        const isSeen = /^(solid|auto) [2-9]/.test(focused) && focused !== unfocused;
        return [kept.outerHTML.slice(0, 200), isSeen];
    })()
"""
"""What has the focus, and whether a ring tells so that is not there without it."""
RINGS = """
    [...document.querySelectorAll("a, button, input, select, summary, [tabindex]")]
        .filter((each) => each.tabIndex >= 0 && each.checkVisibility() && !each.disabled)
        .filter((each) => {
            document.activeElement.blur();
            const { outlineStyle: before } = getComputedStyle(each);
            each.focus({ preventScroll: true });
            const { outlineStyle, outlineWidth } = getComputedStyle(each);
            const isThere = !["none", before].includes(outlineStyle);
            const isSeen = isThere && parseFloat(outlineWidth) >= 2;
            return document.activeElement === each && !isSeen;
        })
        .map((each) => each.outerHTML.slice(0, 200))
"""
"""All that takes the focus without a ring."""
LOST = """
    [...document.querySelectorAll(
        ".bar-track i, .moved-track i, .segments [aria-pressed=true], .nav a[aria-current]")]
        .filter((each) => each.checkVisibility() && each.clientWidth > 0)
        .filter((each) => {
            const ground = document.createElement("i");
            ground.style.backgroundColor = "Canvas";
            document.body.append(ground);
            const canvas = getComputedStyle(ground).backgroundColor;
            ground.remove();
            return ["rgba(0, 0, 0, 0)", canvas].includes(getComputedStyle(each).backgroundColor);
        })
        .map((each) => each.outerHTML.slice(0, 120))
"""
"""Bars and chosen things that look like the ground."""
MOST_STOPS = 60
FOCUSED = "document.activeElement.getAttribute('href') ?? ''"
MOST_TABS = 12
LISTS = ("changes", "closed", "health", "glossary")
"""Pages that may have no figure: no month is closed here."""
OF_FIGURES = [page.name for page in PAGES if page.name not in LISTS]


def views(publication: Publication) -> list[str]:
    """Every page, and one of each kind of object."""
    [(order, buyer, vendor)] = publication.rows(
        "select order_number, buyer_id, vendor_id from wholesale_bi.rpt_orders"
        " order by sub_total desc, order_id limit 1"
    )
    [(product, category)] = publication.rows(
        "select product_id, category_name from wholesale_bi.rpt_catalogue"
        " order by sales_amount desc, product_id limit 1"
    )
    objects = {"order": order, "buyer": buyer, "vendor": vendor}
    objects |= {"product": product, "category": category}
    return [
        *(page.name for page in PAGES),
        *(f"{page}/{key}" for page, key in objects.items()),
        *("today/old", "fulfilment/sent", "explore?shape=time", "explore?shape=moved"),
        *("changes?since=week&kind=new", "buyer/nobody", "nonsense"),
    ]


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        ("desk", "light"),
        ("desk", "dark"),
        ("tablet", "light"),
        ("phone", "light"),
        ("phone", "dark"),
    ],
)
def test_nobody_is_shut_out(
    visit: Callable[..., Visit], publication: Publication, size: str, scheme: str
) -> None:
    window = visit(size=size, color_scheme=scheme, reduced_motion="reduce")
    faults = {}
    for view in views(publication):
        window.open(view)
        expect(window.page.locator(".failure")).to_have_count(0)
        is_within = window.page.evaluate(IS_WITHIN)
        cut = window.page.evaluate(CUT_NUMBERS)
        faults[view] = [*_faults(window), *cut, *([] if is_within else [("too", "wide")])]
    assert faults == {view: [] for view in faults}


def _faults(window: Visit) -> list[tuple[str, str]]:
    # The page forbids the reading of style sheets that axe would begin with; it needs none of it.
    options = {
        "resultTypes": ["violations"],
        "preload": False,
        "rules": {"label-content-name-mismatch": {"enabled": True}},
    }
    violations = Axe().run(window.page, options=options).response["violations"]
    return [
        (violation["id"], node["html"][:200])
        for violation in violations
        for node in violation["nodes"]
    ]


def test_names_are_shown_as_they_are_and_never_run(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    [(vendor,)] = publication.rows(
        "select distinct vendor_id from wholesale_bi.rpt_orders where vendor_name = ?", ODD_NAME
    )
    window = visit()
    for page in PAGES:
        window.open(f"{page.name}?vendor={vendor}&period=all_time")
        expect(window.page.locator("main img")).to_have_count(0)
    for view in (f"vendor/{vendor}", "vendors?period=all_time"):
        window.open(view)
        assert ODD_NAME in str(window.page.locator("main").text_content())


def test_an_incomplete_publication_says_so_on_every_page(
    visit: Callable[..., Visit], publication: Publication, tmp_path: Path
) -> None:
    reason = "orders: total_count moved in four sweeps"
    publication.site(tmp_path, verdict="incomplete", reasons=[reason])
    window = visit(tmp_path)
    for page in PAGES:
        window.open(page.name)
        expect(window.page.locator(".top .dot.partial")).to_be_visible()
        if page.name != "health":  # it says so itself
            expect(window.page.locator("main .notice", has_text="complete")).to_be_visible()
    assert _faults(window) == []


def test_an_account_without_orders_has_a_dashboard_that_says_so(
    visit: Callable[..., Visit], built: Marts, tmp_path: Path
) -> None:
    publish_nothing(built, tmp_path)
    window = visit(tmp_path)
    for page in PAGES:
        window.open(page.name)
        expect(window.page.locator(".failure")).to_have_count(0)
    assert _faults(window) == []


def test_long_and_backward_texts_stay_within_the_page(
    visit: Callable[..., Visit], built: Marts, tmp_path: Path
) -> None:
    publish(
        built,
        tmp_path,
        "update wholesale_marts.dim_buyers set company_name = '\u202eexe.png'",
        f"update wholesale_marts.dim_vendors set vendor_name = '{'9' * 5_000}'",
        f"update wholesale_marts.fct_orders set order_number = '{'8' * 5_000}' where is_return",
    )
    window = visit(tmp_path)
    for page in PAGES:
        window.page.set_viewport_size(SIZES["desk"])
        window.open(page.name)
        expect(window.page.locator(".failure")).to_have_count(0)
        for size in SIZES.values():
            window.page.set_viewport_size(size)
            window.page.wait_for_function(IS_WITHIN)  # once it was drawn for this size


def test_a_page_on_paper_has_nothing_beyond_its_edge_and_no_empty_sheet(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    window = visit()
    window.page.set_viewport_size({"width": NARROWEST, "height": 1_000})
    window.page.emulate_media(media="print")
    faults = {}
    for view in views(publication):
        window.open(view)
        expect(window.page.locator(".rail")).to_be_hidden()
        faults[view] = [*window.page.evaluate(CUT), *window.page.evaluate(BROKEN_NUMBERS)]
        for paper in PAPERS:
            sheets = PdfReader(BytesIO(window.page.pdf(format=paper))).pages
            texts = [sheet.extract_text() for sheet in sheets]
            faults[view] += [(paper, number) for number, text in enumerate(texts) if len(text) < 10]
    assert faults == {view: [] for view in faults}


def test_a_number_stands_on_the_first_screen_at_double_size(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.page.set_viewport_size({"width": 640, "height": 450})
    for page in OF_FIGURES:
        window.open(page)
        numbers = window.page.locator("main").locator(".figure, b, td, .money, .sentence")
        expect(numbers.filter(has_text=re.compile(r"\d")).first).to_be_in_viewport()


def test_the_keyboard_alone_reaches_every_page(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.open("today")
    keyboard = window.page.keyboard
    for page in PAGES:
        for _ in range(MOST_TABS):
            keyboard.press("Tab")
            if window.page.evaluate(FOCUSED).startswith(f"#/{page.name}"):
                break
        keyboard.press("Enter")
        window.settle()
        expect(window.page).to_have_title(f"{page.title} · Wholesale")


def test_a_ring_is_seen_at_every_stop_of_the_tab_key(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    window = visit()
    faults: dict[str, list[str]] = {}
    for view in views(publication):
        window.open(view)
        faults[view] = []
        for _ in range(MOST_STOPS):
            window.page.keyboard.press("Tab")
            element, is_seen = window.page.evaluate(RING)
            if not is_seen and not element.startswith("<body"):
                faults[view].append(element)
    assert faults == {view: [] for view in faults}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desk", "phone"])
def test_where_the_system_sets_the_colours_focus_bars_and_choices_are_seen(
    visit: Callable[..., Visit], publication: Publication, size: str, scheme: str
) -> None:
    window = visit(size=size, forced_colors="active", color_scheme=scheme)
    faults = {}
    for view in views(publication):
        window.open(view)
        window.page.keyboard.press("Tab")
        faults[view] = [*window.page.evaluate(RINGS), *window.page.evaluate(LOST)]
    assert faults == {view: [] for view in faults}


def test_the_keyboard_skips_to_the_figures(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.open("sales")
    window.page.keyboard.press("Tab")
    window.page.keyboard.press("Enter")
    window.page.keyboard.press("Tab")
    expect(window.page).to_have_title("Sales · Wholesale")
    assert window.page.evaluate("document.activeElement.closest('main') !== null")


def test_paper_has_what_is_folded_and_says_what_it_leaves_out(visit: Callable[..., Visit]) -> None:
    window = visit()
    printing = "window.dispatchEvent(new Event('beforeprint'))"
    window.open("health")
    window.page.evaluate(printing)
    expect(window.page.locator("details[open]")).to_have_count(3)
    window.open("sales?period=all_time")
    rows = window.page.get_by_role("region", name="Products").locator("tbody tr")
    before = rows.count()
    window.page.evaluate(printing)
    expect(window.page.get_by_text("which are not printed")).to_be_visible()
    assert rows.count() > before
    window.page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    expect(rows).to_have_count(before)


def test_the_first_number_stands_near_the_top(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.page.set_viewport_size({"width": 1_440, "height": 900})
    for page, number in (("today", ".sentence"), ("sales", ".figure"), ("explore", ".figure")):
        window.open(page)
        # Warnings stand above everything, and this business has one.
        window.page.evaluate("document.querySelectorAll('.notice').forEach((one) => one.remove())")
        box = window.page.locator(f"main {number}").first.bounding_box()
        assert box
        assert box["y"] < 120, page
