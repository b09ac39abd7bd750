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
from wholesale_fleet.consolidation.page import FILES, OWN, TEMPLATE, course

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
        ]
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
    expected = [
        [
            *(currency, zone, settings_id, str(count), f"{orders:,}"),
            *(rounded(sales, currency), rounded(billed, currency), "2026-03-01 06:00 UTC"),
        ]
        for currency, zone, settings_id, count, orders, sales, billed in desk.rows(
            "select currency, time_zone, settings_id, account_count, order_count, sales_amount,"
            " billed_amount from wholesale_bi.fleet_sales order by 1, 2, 3"
        )
    ]
    found = tables_in(page)

    assert found["Sales by currency and settings"][1:] == expected
    assert [row[0] for row in expected] == ["EUR", "USD"]
    for currency, _, settings_id, *_ in expected:
        months = desk.rows(
            "select strftime(date_day, '%Y-%m'), cast(sum(order_count) as bigint),"
            " sum(sales_amount) from wholesale_bi.fleet_daily_sales where settings_id = ?"
            " group by 1 order by 1 desc",
            settings_id,
        )
        assert found[f"Sales by month, {currency}, settings {settings_id}"][1:] == [
            [month, f"{orders:,}", rounded(sales, currency)] for month, orders, sales in months
        ]


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
    [heads, *rows] = tables_in(page)["Settings by account"]
    same = ["no", "cancelled", "refunded", "1000000", "1,000", "2000-01-01"]

    assert heads == [
        *("Account", "Settings", "Currency", "Time zone", "Discounts in amounts"),
        *("Cancelled", "Refunded", "Largest amount", "Largest quantity", "First day"),
    ]
    assert [row[:1] + row[2:] for row in rows] == [
        ["east", "EUR", "Europe/Vienna", *same],
        ["west", "EUR", "Europe/Vienna", *same],
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
