"""Each sheet of A4 and Letter can be read alone: its headings, whose it is, and which."""

import re
from collections.abc import Callable
from io import BytesIO

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from support.warehouses.browsing import Visit
from support.warehouses.publication import Publication
from wholesale_elt.dashboard.pages import PAGES

pytestmark = pytest.mark.browser

PAPERS = ("A4", "Letter")
FOOT = re.compile(r"(\d+) of (\d+)Wholesale, version of .+, printed ")
SAID_BELOW = "Complete."
"""What stands below a page begins so."""
MOST_BELOW = 4
"""Lines that it takes."""
FALLS_AND_RISES = """
    [...document.querySelectorAll(".moved-track i")].map((bar) => {
        const { left, right } = bar.getBoundingClientRect();
        return Math.round(bar.closest(".fell") ? right : left);
    })
"""
"""Where the bars of What moved begin."""
FILL = """(style, height) => {
    style.textContent = `main::before { content: ""; display: block; height: ${height}px }`;
}"""


def holds_rows(text: str) -> bool:
    """Whether a sheet has two lines at least besides its foot and what is said below a page."""
    lines = sum(bool(line.strip()) for line in FOOT.sub("", text).splitlines()) - 1
    return lines >= 2 + (MOST_BELOW if SAID_BELOW in text else 0)


def sheets(window: Visit, paper: str) -> list[str]:
    """What each sheet says."""
    printed = PdfReader(BytesIO(window.page.pdf(format=paper)))
    return [sheet.extract_text() for sheet in printed.pages]


@pytest.mark.parametrize("paper", PAPERS)
def test_a_long_list_has_its_headings_on_each_sheet(
    visit: Callable[..., Visit], paper: str
) -> None:
    window = visit()
    window.open("orders?period=all_time")
    texts = sheets(window, paper)
    assert len(texts) > 2
    for text in texts:
        assert re.search(r"Order\s+Date\s+Buyer", text)


def test_each_sheet_says_whose_it_is_and_which_and_none_holds_only_that(
    visit: Callable[..., Visit],
) -> None:
    window = visit()
    for page in PAGES:
        window.open(page.name)
        texts = sheets(window, "A4")
        found = [FOOT.search(text) for text in texts]
        assert [each and each.groups() for each in found] == [
            (str(number), str(len(texts))) for number in range(1, len(texts) + 1)
        ], page.name
        assert holds_rows(texts[-1]), page.name


def test_no_heading_stands_alone_at_the_foot_of_a_sheet(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.open("vendors?period=all_time")
    filler = window.page.add_style_tag(content="main::before { display: block }")
    for height in range(0, 900, 90):
        filler.evaluate(FILL, height)
        texts = sheets(window, "Letter")
        assert holds_rows(texts[-1]), height
        for text in texts:
            _, *below = re.split(r"\d+ vendors?", text)
            assert not below or re.search(r"\d\.\d%", below[-1]), height


@pytest.mark.parametrize("paper", PAPERS)
def test_an_order_takes_one_sheet_and_sales_no_half_empty_one(
    visit: Callable[..., Visit], publication: Publication, paper: str
) -> None:
    [(number,)] = publication.rows(
        "select order_number from wholesale_bi.rpt_orders where order_number is not null"
        " order by ordered_date desc, order_id limit 1"
    )
    window = visit()
    window.open(f"order/{number}")
    assert len(sheets(window, paper)) == 1
    window.open("sales?period=2025")
    first = sheets(window, paper)[0]
    assert "What moved" in first or "Products" in first


def test_falls_and_rises_begin_at_one_axis(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.open("sales?period=last_90_days&compare=period")
    window.page.set_viewport_size({"width": 688, "height": 1_000})
    window.page.emulate_media(media="print")
    places = window.page.evaluate(FALLS_AND_RISES)
    assert len(places) > 2
    assert max(places) - min(places) <= 2


def test_a_pivot_has_as_many_columns_as_paper_has_room_for(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.page.set_viewport_size({"width": 1_920, "height": 900})
    window.open("explore?by=vendor&across=month&period=all_time")
    headings = window.page.locator(".pivot thead th")
    seen = headings.count()
    window.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(headings).not_to_have_count(seen)
    assert headings.count() < seen


def test_what_was_chosen_stands_on_paper_in_words(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    vendor, state = publication.busiest()
    window = visit(size="phone")
    window.open(f"sales?period=all_time&vendor={vendor}&state={state}")
    [first, *_] = sheets(window, "A4")
    said = " ".join(first.split())
    assert "All time" in said
    assert state.split("-")[-1] in said
