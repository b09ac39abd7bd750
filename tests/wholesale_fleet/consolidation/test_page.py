"""The page over all accounts: figures as SQL has them, by currency, readable without a script."""

import json
import re
from decimal import Decimal
from html import unescape
from pathlib import Path

import pytest

from support.warehouses.fleets import Desk
from support.warehouses.publication import ODD_NAME
from wholesale_elt.dashboard.entry import NOTHING
from wholesale_fleet.consolidation.manifest import is_late
from wholesale_fleet.consolidation.page import FILES, OWN, TEMPLATE
from wholesale_fleet.consolidation.sales import course

CELL = re.compile(r"<t[hd] [^>]*>(.*?)</t[hd]>", re.DOTALL)
ROW = re.compile(r"<tr>(.*?)</tr>", re.DOTALL)
TABLE = re.compile(r'<caption class="hidden">(.*?)</caption>(.*?)</table>', re.DOTALL)
TAG = re.compile(r"<[^>]+>")


def text_of(html: str) -> str:
    return unescape(TAG.sub("", html)).replace("\u00a0", " ")


def tables_in(page: str) -> dict[str, list[list[str]]]:
    """The rows of each table, by its caption, the heads among them."""
    return {
        text_of(caption): [
            [text_of(cell) for cell in CELL.findall(row)] for row in ROW.findall(content)
        ]
        for caption, content in TABLE.findall(page)
    }


def rounded(amount: Decimal, currency: str) -> str:
    return f"{currency} {amount:,.0f}"


def test_the_page_loads_what_is_put_beside_it() -> None:
    loaded = re.findall(r'(?:src|href)="\{\{base\}\}([^"]+)"', TEMPLATE.read_text("utf-8"))

    assert tuple(loaded) == FILES


@pytest.mark.parametrize("path", sorted(OWN.iterdir()), ids=lambda path: path.name)
def test_no_file_names_another_host_or_makes_markup_of_data(path: Path) -> None:
    text = path.read_text("utf-8")

    assert not re.search(r"https?:|[\"'(]//", text)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", text)


@pytest.mark.parametrize(
    ("amounts", "path", "highest"),
    [
        ((None,), "", NOTHING),
        ((None, "3", "4", None, "2"), "M25.00,6.00 L50.00,0.00 M100.00,12.00", "USD 4.00"),
    ],
)
def test_a_month_whose_sales_are_not_known_breaks_the_line(
    amounts: tuple[str | None, ...], path: str, highest: str
) -> None:
    html = course(
        [
            {
                **{"currency": "USD", "settings_id": "a", "month": f"2026-0{month}"},
                **{"order_count": 7, "sales_amount": amount},
            }
            for month, amount in enumerate(amounts, 1)
        ],
        "east",
    )

    assert re.findall(r'd="([^"]*)"', html) == [path]
    assert f"highest {highest}" in text_of(html)


@pytest.fixture
def page(desk: Desk) -> str:
    desk.names += ["young"]
    desk.told["young"] = {"status": "never synced", "status_as_of": None}
    desk.told["west"] = {"trouble": ODD_NAME}
    desk.publish()
    return (desk.fleet / "index.html").read_text("utf-8")


@pytest.mark.slow
def test_sales_stand_by_currency_and_no_sum_crosses_it(desk: Desk, page: str) -> None:
    counted = desk.rows(
        "select settings_id, string_agg(distinct account_id, ', ' order by account_id)"
        " from wholesale_bi.fleet_settings group by 1"
    )
    names = dict(counted)
    expected = [
        [
            *(currency, names[settings_id], zone, f"{orders:,}"),
            *(rounded(sales, currency), rounded(billed, currency), "2026-03-01 06:00 UTC", ""),
        ]
        for currency, zone, settings_id, orders, sales, billed in desk.rows(
            "select currency, time_zone, settings_id, order_count, sales_amount,"
            " billed_amount from wholesale_bi.fleet_sales order by 1, 2, 3"
        )
    ]
    found = tables_in(page)

    assert found["Sales by currency"][1:] == expected
    assert [row[:2] for row in expected] == [["EUR", "east, west"], ["USD", "south"]]
    for settings_id, of in names.items():
        months = desk.rows(
            "select strftime(date_day, '%Y-%m'), cast(sum(order_count) as bigint),"
            " sum(sales_amount), max(currency) from wholesale_bi.fleet_daily_sales"
            " where settings_id = ? group by 1 order by 1 desc",
            settings_id,
        )
        assert found[f"Sales by month, {months[0][3]}: {of}"][1:] == [
            [month, f"{orders:,}", rounded(sales, currency)]
            for month, orders, sales, currency in months
        ]


@pytest.mark.slow
def test_what_differs_keeps_accounts_of_one_currency_apart_and_nothing_is_told_twice(
    desk: Desk,
) -> None:
    desk.build("west", 2, time_zone="'Asia/Tokyo'", currency="'EUR'")
    desk.build("south", 3, currency="'XXX'")
    desk.names += ["north"]
    desk.build("north", 4, currency="'XXX'")
    desk.publish()
    page = (desk.fleet / "index.html").read_text("utf-8")
    found = tables_in(page)

    rows = [(row[0], row[1], row[-1]) for row in found["Sales by currency"][1:]]
    assert sorted(rows) == [
        ("EUR", "east", "Time zone"),
        ("EUR", "west", "Time zone"),
        ("not set", "north", "Currency not set"),
        ("not set", "south", "Currency not set"),
    ]
    for table in found.values():
        assert len({tuple(row) for row in table}) == len(table)
    ids = {name for (name,) in desk.rows("select settings_id from wholesale_bi.fleet_settings")}
    assert not [word for word in (*ids, "XXX") if word in text_of(page)]


def test_an_account_whose_numbers_are_old_is_late(desk: Desk, page: str) -> None:
    late = tables_in(page)["Late accounts"][1:]

    assert [(row[0], row[3], row[4]) for row in late] == [
        ("east", "24 h", "no run has ended since"),
        ("south", "24 h", "no run has ended since"),
        ("west", "24 h", f"last command: {ODD_NAME}"),
        ("young", "24 h", "nothing is published"),
    ]


@pytest.mark.parametrize(
    ("as_of", "every_hours", "is_so"),
    [
        (None, 24, True),
        ("2026-03-01T06:00:00Z", 24, False),
        ("2026-02-27T06:00:00.000000Z", 24, False),
        ("2026-02-27T05:59:59+00:00", 24, True),
        ("2026-02-27T05:59:59+00:00", 24.1, False),
        ("2026-03-01T04:59:00Z", 0.5, True),
        ("2026-03-01T07:30:00+01:00", 1, False),
        ("2027-01-01T00:00:00Z", 1, False),
    ],
)
def test_late_is_what_two_intervals_have_passed_since(
    as_of: str | None, every_hours: float, is_so: bool
) -> None:
    assert is_late(as_of, every_hours, "2026-03-01T06:00:00Z") is is_so


def test_each_account_stands_with_its_verdict_and_what_is_wrong_with_it(
    desk: Desk, page: str
) -> None:
    sold = {
        account: (f"{orders:,}", rounded(sales, currency), last)
        for account, currency, orders, sales, last in desk.rows(
            "select account_id, currency, order_count, sales_amount,"
            " cast(last_ordered_date as text) from wholesale_bi.fleet_account_sales"
        )
    }
    moment = "2026-03-01 06:00 UTC"

    assert tables_in(page)["Accounts"][1:] == [
        ["east", "complete", moment, NOTHING, "complete", "EUR", *sold["east"], ""],
        ["south", "complete", moment, NOTHING, "complete", "USD", *sold["south"], ""],
        [
            *("west", "complete", moment, NOTHING, "complete", "EUR", *sold["west"]),
            f"last command: {ODD_NAME}",
        ],
        [
            "young",
            "none",
            NOTHING,
            NOTHING,
            "never synced",
            NOTHING,
            NOTHING,
            NOTHING,
            NOTHING,
            "nothing is published",
        ],
    ]
    assert "young: nothing is published" in text_of(page)
    assert 'data-since="2026-03-01T06:00:00.000000Z"' in page


def test_settings_that_differ_can_be_seen(page: str) -> None:
    heads, *rows = tables_in(page)["Settings by account"]
    same = ["no", "cancelled", "refunded", "1000000", "1,000", "2000-01-01"]

    assert heads == [
        *("Accounts", "Currency", "Time zone", "Discounts in amounts"),
        *("Cancelled", "Refunded", "Largest amount", "Largest quantity", "First day"),
    ]
    assert rows == [
        ["east, west", "EUR", "Europe/Vienna", *same],
        ["south", "USD", "America/New_York", *same],
    ]


def test_the_page_asks_nobody_else_and_runs_nothing_that_data_hold(desk: Desk, page: str) -> None:
    assert "default-src 'none'; script-src 'self' file:; style-src 'self' file:;" in page
    assert "<script>" not in page
    assert "<img" not in page
    assert 'style="' not in page
    base = f"dashboard/{desk.manifest.version}/"
    linked = re.findall(r'(?:src|href)="([^"#:]+)"', page)
    assert len(linked) == len(FILES)
    assert all(path.startswith(base) and (desk.fleet / path).exists() for path in linked)
    served = (desk.fleet / "dashboard" / "index.html").read_text("utf-8")
    assert f'data-base="{desk.manifest.version}/"' in served
    latest = (desk.fleet / "dashboard" / "latest.js").read_text("utf-8")
    assert json.dumps(desk.manifest.version) in latest


def test_of_many_that_are_doubtful_the_top_names_a_few(desk: Desk) -> None:
    desk.names = [f"a{number}" for number in range(7)]
    desk.publish()
    top, _, accounts = (desk.fleet / "index.html").read_text("utf-8").partition("<main")

    assert "a4: nothing is published; and 2 more below" in top
    assert "a6" in accounts
