"""Who orders next: counts and windows are those of the models, none of figures that are too old."""

import csv
import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from support.warehouses.browsing import Visit
from support.warehouses.marts import Marts
from support.warehouses.measuring import WIDTHS, faults
from support.warehouses.publication import Publication
from support.warehouses.sites import publish

pytestmark = pytest.mark.browser

A_WEEK = 7
WINDOWED = """
    with placed as (
        select buyer_id, row_number() over (order by buyer_id) as n
        from wholesale_bi.rpt_next_orders
    )
    update wholesale_bi.rpt_next_orders as orders set
        standing = case
            when n < 4 then 'passed' when n < 12 then 'due' when n < 30 then 'later'
            when n < 32 then 'right_too_seldom' else standing end,
        first_day_50 = case when n < 30 then figures_up_to - 8 + cast(2 * n as integer) end,
        last_day_50 = case when n < 30 then figures_up_to - 6 + cast(2 * n as integer) end,
        first_day_80 = case when n < 30 then figures_up_to - 9 + cast(2 * n as integer) end,
        last_day_80 = case when n < 30 then figures_up_to - 6 + cast(3 * n as integer) end,
        first_day_90 = case when n < 30 then figures_up_to - 10 + cast(2 * n as integer) end,
        last_day_90 = case when n < 30 then figures_up_to - 6 + cast(4 * n as integer) end,
        low_amount = case when n < 30 then 100 * n end,
        high_amount = case when n < 30 then 345678.9 * n end,
        order_in_week_share = case when n < 30 then 1.0 / n end,
        judged_count = case when n < 32 then 10 * n else 0 end,
        right_count = case when n < 32 then 8 * n else 0 end
    from placed where orders.buyer_id = placed.buyer_id
"""
JUDGED = """
    create or replace temp table judged as
    select
        part || member || claimed || is_shown as record_id, part, member, claimed, is_shown,
        if(claimed = 'amount', 80, try_cast(claimed as bigint)) as claimed_percent,
        1000 as judged_count, 777 as right_count, 0.777 as right_share, 4.5 as mean_width_days,
        date '2025-07-01' as first_date, date '2026-06-30' as last_date
    from (values ('all', 'all', true), ('age', '1', false), ('age', '6-11', true),
        ('age', '30+', true), ('month', '2026-06-01', true)) as parts (part, member, is_shown)
    cross join (values ('50'), ('80'), ('90'), ('amount')) as claims (claimed);
    insert into wholesale_bi.rpt_forecast_record_totals by name from judged where part = 'all';
    insert into wholesale_bi.rpt_forecast_record by name from judged where part <> 'all'
"""
DUE = "update wholesale_bi.rpt_due_weeks set due_count = 5, due_and_ordered_count = 4"
MONTHS = """
    update wholesale_bi.rpt_sales_outlook_totals set
        known_amount = 250000, low_50 = 300000, high_50 = 310000, low_80 = 290000,
        high_80 = 340000, low_90 = null, high_90 = null, judged_count = 11, right_count = 9
    where not is_next
"""
TOLD = ("passed", "due", "later")
KINDS = {"All": "true", "Without a window": f"standing not in {TOLD}"} | {
    text: f"standing = '{standing}'"
    for text, standing in (("All windows passed", "passed"), ("Due", "due"), ("Later", "later"))
}
"""What the page lets choose, and what that is in SQL."""


@pytest.fixture(scope="module")
def windowed(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Publication:
    """A business some buyers of which have windows, and where weeks and windows are over."""
    place = tmp_path_factory.mktemp("next")
    site = publish(built, place, WINDOWED, JUDGED, DUE, MONTHS)
    return Publication(site.database.parent)


def open_at(
    visit: Callable[..., Visit], windowed: Publication, view: str, days: int, size: str = "desk"
) -> Visit:
    """The page as it is opened so many days after the last one that figures know of."""
    window = visit(windowed.folder.parents[1], size, timezone_id="UTC")
    noon = datetime.combine(last_day(windowed), time(12), UTC)
    window.page.clock.set_fixed_time(noon + timedelta(days=days))
    window.open(view)
    return window


def last_day(windowed: Publication) -> date:
    [(day,)] = windowed.rows("select max(figures_up_to) from wholesale_bi.rpt_next_orders")
    assert isinstance(day, date)
    return day


def counted(windowed: Publication, condition: str = "true") -> Mapping[str, int]:
    """How many buyers there are of each choice."""
    return {
        text: windowed.rows(
            f"select count(*) from wholesale_bi.rpt_next_orders where {is_of} and {condition}"
        )[0][0]
        for text, is_of in KINDS.items()
    }


def told(window: Visit) -> Mapping[str, int]:
    """The same as the page has it."""
    buttons = window.page.get_by_role("group", name="Which buyers").get_by_role("button").all()
    found = [button.inner_text().rsplit(maxsplit=1) for button in buttons]
    return {text.strip(): int(count.replace(",", "")) for text, count in found}


def test_buyers_are_counted_and_listed_as_the_models_have_them(
    visit: Callable[..., Visit], windowed: Publication
) -> None:
    window = open_at(visit, windowed, "next", 1)
    assert told(window) == counted(windowed)
    assert counted(windowed)["All"] > 0
    for show, kind in (("due", "Due"), ("later", "Later"), ("passed", "All windows passed")):
        window.go(f"next?show={show}")
        rows = window.page.get_by_role("table", name="Windows", exact=True).locator("tbody tr")
        expect(rows).to_have_count(min(25, counted(windowed)[kind]))


def test_each_buyer_that_is_awaited_has_its_windows_and_each_other_its_reason(
    visit: Callable[..., Visit], windowed: Publication
) -> None:
    window = open_at(visit, windowed, "next?show=later", 1)
    tracks = window.page.locator(".table .windows-track")
    for track in tracks.all():
        assert "8 of 10: " in str(track.get_attribute("aria-label"))
    window.go("next?show=without")
    assert tracks.count() > 0
    for text in tracks.all_inner_texts():
        assert text.startswith("no window")


def test_a_file_has_each_end_of_each_window_in_a_column(
    visit: Callable[..., Visit], windowed: Publication
) -> None:
    window = open_at(visit, windowed, "next", 1)
    with window.page.expect_download() as download:
        section = window.page.get_by_role("region", name="Windows")
        section.get_by_role("button", name="Save as CSV").click()
    rows = list(csv.DictReader(Path(download.value.path()).read_text("utf-8-sig").splitlines()))
    found = sorted((row["First day, 80%"], row["Last day, 80%"]) for row in rows)
    days = windowed.rows(
        "select coalesce(cast(first_day_80 as text), ''), coalesce(cast(last_day_80 as text), '')"
        " from wholesale_bi.rpt_next_orders"
    )
    assert found == sorted(days)


def test_more_than_a_week_later_no_window_is_shown_and_the_record_is(
    visit: Callable[..., Visit], windowed: Publication
) -> None:
    for days, is_shown in ((A_WEEK, True), (A_WEEK + 1, False)):
        window = open_at(visit, windowed, "next", days)
        expect(window.page.locator(".windows-track").first).to_be_visible(visible=is_shown)
        assert (window.page.locator(".ends").count() > 0) is is_shown
        expect(window.page.locator(".record")).to_have_count(1)
        window.go("today")
        if not is_shown:
            expect(window.page.locator("[class^=fan-]")).to_have_count(0)


def test_the_choice_of_an_account_manager_holds_for_counts_and_rows(
    visit: Callable[..., Visit], windowed: Publication
) -> None:
    [(manager,)] = windowed.rows(
        "select account_manager_id from wholesale_bi.rpt_next_orders"
        " where account_manager_id is not null group by 1 order by count(*) desc, 1 limit 1"
    )
    window = open_at(visit, windowed, f"next?account_manager={manager}", 1)
    assert told(window) == counted(windowed, f"account_manager_id = '{manager}'")


def test_the_page_of_a_buyer_has_its_window_and_its_record(
    visit: Callable[..., Visit], windowed: Publication
) -> None:
    [(buyer, right, judged)] = windowed.rows(
        "select buyer_id, right_count, judged_count from wholesale_bi.rpt_next_orders"
        f" where standing in {TOLD} and judged_count > 1 order by judged_count desc, 1 limit 1"
    )
    window = open_at(visit, windowed, f"buyer/{buyer}", 1)
    expect(window.page.locator("[data-tile=next_order] .was")).to_contain_text(
        f"right {right} of {judged} times"
    )


def test_months_have_the_windows_of_the_models(
    visit: Callable[..., Visit], windowed: Publication
) -> None:
    window = open_at(visit, windowed, "next", 1)
    asked = windowed.rows(
        "select low_80, high_80 from wholesale_bi.rpt_sales_outlook_totals"
        " where low_80 is not null order by is_next"
    )
    found = [
        tuple(map(float, str(each.get_attribute("data-exact")).split("/")))
        for each in window.page.locator(".ends-range").all()
    ]
    assert found == [tuple(map(float, row)) for row in asked]


def test_who_is_due_and_who_ordered_stand_in_the_first_sentence(
    visit: Callable[..., Visit], windowed: Publication
) -> None:
    window = open_at(visit, windowed, "next", 1)
    numbers = re.findall(r"\d+", window.page.locator(".sentence").inner_text())
    assert [*map(int, numbers)] == [counted(windowed)["Due"], 12 * 5, 12, 12 * 4]


@pytest.mark.parametrize("view", ["next", "next?show=without&by=account_manager&month=following"])
def test_nothing_is_cut_at_any_width(
    visit: Callable[..., Visit], windowed: Publication, view: str
) -> None:
    window = open_at(visit, windowed, view, 1)
    for width in WIDTHS:
        window.page.set_viewport_size({"width": width, "height": 900})
        window.settle()
        assert faults(window.page) == [], width


def test_on_a_phone_each_window_says_its_days(
    visit: Callable[..., Visit], windowed: Publication
) -> None:
    window = open_at(visit, windowed, "next?show=due", 1, "phone")
    for days in window.page.locator(".windows-days").all():
        expect(days).to_be_visible()
