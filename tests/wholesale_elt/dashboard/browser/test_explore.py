"""Explore in a real browser: its answers, why there is none, files, definitions, and views."""

import csv
import io
import zipfile
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import duckdb
import pytest
from playwright.sync_api import Locator, Page, expect

from support.warehouses.browsing import Visit
from support.warehouses.marts import Marts
from support.warehouses.publication import Publication
from wholesale_elt.figures import Question, ask
from wholesale_elt.publish.publisher import publish_marts

pytestmark = pytest.mark.browser

SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
PERIOD = "last_90_days"
BLOCKED = (
    "Object.defineProperty(window, 'localStorage', { get() { throw new Error('blocked'); } });"
)


@pytest.mark.parametrize("own", ["metric=sales&by=category", "metric=sales&across=category"])
def test_what_a_figure_cannot_be_told_apart_by_is_said_with_the_one_that_can(
    visit: Callable[..., Visit], own: str
) -> None:
    window = visit()
    window.open(f"explore?{own}")
    main = window.page.locator("main")
    expect(main).to_contain_text("Sales cannot be told apart by category.")
    expect(main.locator("table")).to_have_count(0)
    main.get_by_role("button", name="Sales of products by category").click()
    window.settle()
    assert "metric=product_sales" in window.page.url
    assert "category" in window.page.url
    expect(main.get_by_role("table").first).to_be_visible()


@pytest.mark.parametrize(
    "own", ["metric=garbage", "by=garbage", "across=garbage", "across=vendor", "metric=open_amount"]
)
def test_a_view_without_an_answer_shows_none(visit: Callable[..., Visit], own: str) -> None:
    window = visit()
    window.open(f"explore?{own}")
    expect(window.page.locator("main .empty")).to_have_count(1)
    expect(window.page.locator("main table")).to_have_count(0)


def test_a_figure_that_is_counted_elsewhere_is_found_and_says_where(
    visit: Callable[..., Visit],
) -> None:
    window = visit()
    window.open("explore")
    window.page.get_by_role("button", name="Figure: Sales").click()
    window.page.get_by_label("Search figures").fill("open amount")
    window.page.get_by_role("button", name="Open amount").click()
    main = window.page.locator("main")
    expect(main.get_by_text("wholesale figures open_amount")).to_be_visible()
    main.get_by_role("link", name="report").click()
    window.settle()
    assert window.page.url.endswith("reports/rpt_receivables")
    expect(main.get_by_role("table").first).to_be_visible()


@pytest.mark.parametrize("across", ["", "&across=buyer_kind", "&across=month"])
def test_the_statement_of_a_view_gives_its_figures(
    visit: Callable[..., Visit], publication: Publication, across: str
) -> None:
    window = visit()
    window.open(f"explore?metric=sales&by=vendor&period={PERIOD}{across}")
    window.page.get_by_role("button", name="The SQL behind this view").click()
    window.settle()
    [command, statement] = window.page.locator("main pre").all_inner_texts()
    assert command.startswith("wholesale figures sales --by vendor")
    found = publication.rows(statement)
    with duckdb.connect(str(publication.folder / "wholesale.duckdb"), read_only=True) as connection:
        total = ask(connection, Question(metrics=["sales"], period=PERIOD)).total["sales"]
    sales = [next(value for value in row if isinstance(value, Decimal)) for row in found]
    assert sum(sales) == total == window.figure("sales")


def test_files_have_the_values_of_the_command(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    window = visit()
    window.open(f"explore?metric=sales&by=vendor&period={PERIOD}&compare=period")
    with duckdb.connect(str(publication.folder / "wholesale.duckdb"), read_only=True) as connection:
        question = Question(metrics=["sales"], by=["vendor"], period=PERIOD, compare="period")
        answer = ask(connection, question)
    expected = [values_of(row) for row in (*answer.rows, answer.total)]

    with open(saved(window.page, "Save as CSV"), encoding="utf-8-sig", newline="") as file:
        [headings, *lines] = csv.reader(file)
    assert [heading.split(" (")[0] for heading in headings] == [
        *("Vendor", "Sales", "Before", "Change", "Change %", "Share %", "Orders", "Buyers"),
    ]
    assert lines[-1][0] == "Total"
    found = [tuple(None if text == "" else Decimal(text) for text in row[1:5]) for row in lines]
    assert found == expected

    with zipfile.ZipFile(saved(window.page, "Save for Excel")) as archive:
        assert archive.testzip() is None
        root = ElementTree.parse(io.BytesIO(archive.read("xl/worksheets/sheet1.xml"))).getroot()
    shown = [
        {str(cell.get("r"))[0]: "".join(cell.itertext()) for cell in row}
        for row in root.iter(f"{SHEET}row")
    ]
    assert [tuple(Decimal(row[column]) for column in "BCD") for row in shown[1:]] == [
        values[:3] for values in expected
    ]


def values_of(row: Mapping[str, Any]) -> tuple[Decimal | None, ...]:
    """What a row of the command is in a file, its growth per cent."""
    growth = row["sales_growth"]
    told = (row["sales"], row["sales_before"], row["sales_difference"])
    return (*told, None if growth is None else growth * 100)


def saved(page: Page, button: str) -> Path:
    with page.expect_download() as download:
        page.get_by_role("button", name=button).first.click()
    return Path(download.value.path())


def test_the_name_of_a_file_has_names_and_days(
    visit: Callable[..., Visit], publication: Publication
) -> None:
    vendor, _ = publication.busiest()
    window = visit()
    window.open(f"explore?metric=sales&by=state&period=2026-03&vendor={vendor}")
    with window.page.expect_download() as download:
        window.page.get_by_role("button", name="Save as CSV").first.click()
    name = download.value.suggested_filename
    assert name.startswith("sales-by-state_2026-03_Vendor-")
    assert vendor not in name
    window.go("fulfilment")
    with window.page.expect_download() as download:
        window.page.get_by_role("button", name="Save as CSV").first.click()
    assert download.value.suggested_filename == "waiting.csv"


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_a_definition_opens_beside_its_word_and_gives_the_focus_back(
    visit: Callable[..., Visit], size: str
) -> None:
    window = visit(size=size)
    window.open("sales")
    page = window.page
    mark = page.locator("[data-tile=orders]").get_by_role("button", name="What Order means")
    mark.focus()
    page.keyboard.press("Enter")
    panel = page.get_by_role("dialog", name="What Order means")
    expect(panel).to_be_visible()
    expect(panel).to_contain_text("asked of one vendor at one time")
    box = panel.bounding_box()
    view = page.viewport_size
    assert box
    assert view
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= view["width"]
    page.keyboard.press("Tab")
    expect(panel.get_by_role("link").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(mark).to_be_focused()
    mark.click()
    panel.get_by_role("link", name="In the glossary").click()
    window.settle()
    expect(page.locator(".term[data-chosen]")).to_contain_text("asked of one vendor at one time")


def test_figures_are_found_by_what_people_call_them(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.open("explore")
    page = window.page
    page.get_by_role("button", name="Figure: Sales").click()
    page.get_by_role("searchbox", name="Search figures").fill("revenue")
    found = page.locator(".figures-panel").get_by_role("button")
    expect(found).to_have_text(["Sales"])
    page.get_by_role("searchbox", name="Search figures").fill("basket")
    expect(found).to_have_text(["Average order value"])
    found.click()
    window.settle()
    assert "metric=average_order_value" in page.url


def test_views_of_two_windows_are_kept_and_can_be_renamed_ordered_and_forgotten(
    visit: Callable[..., Visit],
) -> None:
    first = visit()
    first.open("sales?period=last_7_days")
    second = Visit(first.page.context.new_page(), first.address)
    second.open("explore?by=buyer")
    for window, name in ((first, "Week"), (second, "Buyers")):
        keep(window.page, name)
    for window in (first, second):
        expect(own(window.page)).to_have_text(["Week", "Buyers"])
    first.page.get_by_role("button", name="Rename, order, forget").click()
    first.page.get_by_role("button", name="Move down Week").click()
    first.page.get_by_role("textbox", name="Name of Buyers").fill("All buyers")
    first.page.get_by_role("textbox", name="Name of Buyers").press("Enter")
    expect(own(second.page)).to_have_text(["All buyers", "Week"])
    first.page.get_by_role("button", name="Forget Week").click()
    expect(own(second.page)).to_have_text(["All buyers"])
    own(second.page).click()
    second.settle()
    assert second.page.url.endswith("#/explore?by=buyer")


def keep(page: Page, name: str) -> None:
    page.get_by_role("button", name="Views").click()
    page.get_by_role("textbox", name="Name of this view").fill(name)
    page.get_by_role("button", name="Save", exact=True).click()


def own(page: Page) -> Locator:
    return page.get_by_role("group", name="Your own").get_by_role("link")


def test_where_nothing_is_kept_it_is_said(visit: Callable[..., Visit]) -> None:
    window = visit()
    window.page.add_init_script(BLOCKED)
    window.open("sales")
    keep(window.page, "Week")
    expect(own(window.page)).to_have_text(["Week"])
    expect(window.page.locator(".views")).to_contain_text("This browser keeps nothing")


def test_views_for_everybody_are_on_every_page(
    marts: Marts, visit: Callable[..., Visit], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(
        "DASHBOARD__VIEWS", '{"Monday": "explore?metric=orders&by=state&period=last_28_days"}'
    )
    marts.build()
    publish_marts(marts.warehouse, "published")
    window = visit(tmp_path / "published")
    window.open("health")
    window.page.get_by_role("button", name="Views").click()
    window.page.get_by_role("link", name="Monday").click()
    window.settle()
    expect(window.page.get_by_role("heading", name="Orders by state")).to_be_visible()
