"""What is new: since yesterday, a week ago, and the version before, each order once in a kind."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from support.warehouses.marts import Marts
from support.warehouses.sites import Site, publish

ORDERS, EVENTS = "wholesale_marts.fct_orders", "wholesale_bi.rpt_events"
LONG_AGO = (
    "create table numbered as select order_id, row_number() over (order by order_id) as n"
    f" from {ORDERS} where is_sale and is_return is not true",
    f"delete from {EVENTS}",
)
"""Nothing is new; sales are numbered."""
TODAY = "(select cast(synced_at as date) from wholesale_marts.dim_as_of)"
COMPARED = (
    "create table main.changes (kind varchar, order_id varchar, order_number varchar,"
    " line_number bigint, sku varchar, amount_before decimal(38, 9), amount_after decimal(38, 9),"
    " amount_effect decimal(38, 9), fields varchar, changed_at timestamptz)",
    "create table main.change_fields (order_id varchar, line_number bigint, field varchar,"
    " value_before varchar, value_after varchar)",
    "create table main.why_totals (compared_with varchar, from_version varchar,"
    " from_as_of timestamptz, from_built_at timestamptz, metric varchar, period varchar,"
    " value_before decimal(38, 9),"
    " value_after decimal(38, 9), difference decimal(38, 9))",
    "create table main.why (compared_with varchar, metric varchar, period varchar,"
    " cause_number bigint, cause varchar, fields varchar, part varchar,"
    " part_amount decimal(38, 9), amount decimal(38, 9), order_count bigint)",
    "create table main.why_orders (compared_with varchar, metric varchar, period varchar,"
    " cause varchar, fields varchar, order_id varchar, order_number varchar,"
    " amount decimal(38, 9))",
)
"""The tables that compare versions, as a publication has them."""


def the(n: int) -> str:
    return f"(select order_id from numbered where n = {n})"


def happened(kind: str, n: int, days_ago: int, amount: int | None = 0, **more: str) -> str:
    """An event of an order, with other columns in SQL."""
    amounts = "null" if amount is None else str(amount)
    told = {
        "event_id": f"(select count(*) || '' from {EVENTS})",
        "event_kind": f"'{kind}'",
        "event_date": f"{TODAY} - {days_ago}",
        "observed_at": f"cast({TODAY} - {days_ago} as timestamptz)",
        "order_id": the(n),
        "amount_before": "null" if amount is None else "0",
        "amount_effect": amounts,
        "amount_after": amounts,
        "changed_line_count": "0",
        "order_standing_after": "'waiting'",
        "payment_standing_after": "'open'",
        **more,
    }
    columns = ", ".join(f"{value} as {name}" for name, value in told.items())
    return f"insert into {EVENTS} by name select {columns}"


def became(n: int, standing: str, days_ago: int, amount: int, *, holds: bool = True) -> str:
    return happened(
        *("state changed", n, days_ago, 0),
        amount_after=str(amount),
        order_standing_before="'waiting'",
        order_standing_after=f"'{standing}'",
        order_status_after="'there'",
        order_status="'there'" if holds else "'elsewhere'",
    )


def counts(site: Site, since: str) -> dict[str, tuple[int, Any]]:
    return {
        row["kind"]: (row["event_count"], row["amount"] and Decimal(row["amount"]))
        for row in site.table("news", "counts")
        if row["since"] == since
    }


def test_orders_are_new_by_their_day_whenever_they_were_found(built: Marts, tmp_path: Path) -> None:
    site = publish(
        built,
        tmp_path,
        *LONG_AGO,
        happened("new", 1, 1, 10, is_first_order="true"),
        happened("found late", 2, 2, 20),
        happened("new", 3, 7, 40),
        happened("new", 4, 8, 80),
        happened("new", 5, 1, 0, order_standing_after="'cancelled'"),
    )
    assert counts(site, "yesterday") == {"new": (1, 10), "first": (1, 10)}
    assert counts(site, "week")["new"] == (3, 70)
    assert counts(site, "version") == {}


def test_the_amount_of_new_orders_without_one_is_not_known(built: Marts, tmp_path: Path) -> None:
    site = publish(built, tmp_path, *LONG_AGO, happened("new", 1, 1, None))
    assert counts(site, "yesterday") == {"new": (1, None)}


def test_a_state_is_news_only_while_it_holds_and_once(built: Marts, tmp_path: Path) -> None:
    site = publish(
        built,
        tmp_path,
        *LONG_AGO,
        became(1, "sent", 3, 5),
        became(1, "sent", 1, 5),
        became(2, "sent", 1, 7, holds=False),
        became(3, "returned", 1, 9),
    )
    assert counts(site, "yesterday") == {"sent": (1, 5)}
    assert counts(site, "week") == {"sent": (1, 5)}


def test_what_edits_did_to_an_order_adds_up(built: Marts, tmp_path: Path) -> None:
    site = publish(
        built,
        tmp_path,
        *LONG_AGO,
        happened("edited", 1, 3, 5),
        happened("edited", 1, 1, -2),
        happened("edited", 2, 1, 0),
        happened("edited", 3, 1, 0, changed_line_count="1"),
        happened("edited", 7, 1, None),
        happened("deleted", 4, 5, -4),
        happened("cancelled", 5, 1, -5, order_status="'void'", order_status_after="'void'"),
        happened("cancelled", 6, 1, -5, order_status="'sent'", order_status_after="'void'"),
    )
    assert counts(site, "yesterday") == {"edited": (2, -2), "cancelled": (1, -5)}
    assert counts(site, "week") == {"edited": (2, 3), "cancelled": (1, -5), "deleted": (1, -4)}
    assert sorted(
        (row["since"], row["kind"], row["amount"]) for row in site.table("events", "events")
    ) == [
        ("week", "cancelled", "-5"),
        ("week", "deleted", "-4"),
        ("week", "edited", "0"),
        ("week", "edited", "3"),
        ("yesterday", "cancelled", "-5"),
        ("yesterday", "edited", "-2"),
        ("yesterday", "edited", "0"),
    ]


def test_a_price_is_told_once_in_whichever_list_it_changed(built: Marts, tmp_path: Path) -> None:
    of_price = {
        "order_id": "null",
        "product_id": "'p'",
        "price_before": "2",
        "order_standing_after": "null",
        "payment_standing_after": "null",
    }
    site = publish(
        built,
        tmp_path,
        *LONG_AGO,
        happened("price changed", 1, 1, None, price_after="3", **of_price),
        happened("price changed", 1, 1, None, price_after="3", price_list="'trade'", **of_price),
        happened("price changed", 1, 1, None, price_after="1", **of_price),
    )
    assert counts(site, "yesterday") == {"price": (2, 0)}


@pytest.fixture(scope="module")
def compared(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Site:
    def change(kind: str, n: int, effect: int, line: str = "null") -> str:
        return (
            f"insert into main.changes select '{kind}', order_id, order_number, {line}, null, 0, 0,"
            f" {effect}, '', now() from {ORDERS} where order_id = {the(n)}"
        )

    return publish(
        built,
        tmp_path_factory.mktemp("compared"),
        *LONG_AGO,
        *COMPARED,
        "insert into main.why_totals values ('version_before', 'v', '2020-01-01 00:00:00Z',"
        f" cast({TODAY} - 3 as timestamptz), 'sales', 'all_time', 1, 3, 2)",
        change("edited", 4, 7),
        change("edited", 4, 7, "1"),
        happened("new", 1, 2, 10, event_date="date '2020-01-01'"),
        happened("found late", 2, 1, 20),
        happened("edited", 4, 3, 7),
        happened("reappeared", 5, 2, 7),
        became(6, "sent", 1, 44),
        happened(
            *("state changed", 6, 2),
            total_after="33",
            payment_standing_before="'open'",
            payment_standing_after="'settled'",
            payment_status="'Paid'",
            payment_status_after="'Paid'",
        ),
    )


def test_since_the_version_before_is_what_syncs_saw_after_it_was_built(compared: Site) -> None:
    assert counts(compared, "version") == {
        "new": (2, 30),
        "reappeared": (1, 7),
        "sent": (1, 44),
        "settled": (1, 33),
    }


def test_changes_are_told_with_their_lines_and_their_buyers(compared: Site) -> None:
    rows = compared.table("changes", "changes")
    assert sorted(
        (row["order_id"], row["line_number"] or 0, row["buyer_name"]) for row in rows
    ) == (
        compared.answer(
            "select order_id, coalesce(line_number, 0), buyer_company_name from main.changes"
            f" join {ORDERS} using (order_id) order by 1, 2"
        )
    )
    assert [row["difference"] for row in compared.table("changes", "totals")] == ["2"]


def test_a_publication_that_compares_nothing_has_no_changes(site: Site) -> None:
    assert site.content("changes") == {}
    [windows] = site.table("news", "windows")
    assert windows["version_before"] is None


def test_an_order_without_a_day_is_not_new_where_nobody_looked_before(
    built: Marts, tmp_path: Path
) -> None:
    site = publish(
        built,
        tmp_path,
        *LONG_AGO,
        f"update {ORDERS} set ordered_date = null where order_id in ({the(1)}, {the(2)})",
        "update wholesale_bi.rpt_sync_runs set started_at ="
        f" cast({TODAY} - 1 as timestamptz) + interval 1 hour where resource = 'orders'",
        happened("new", 1, days_ago=1, amount=7),
        happened("new", 2, days_ago=0, amount=5),
        happened("new", 3, days_ago=1, amount=3),
    )
    assert counts(site, "yesterday")["new"] == (2, Decimal(8))
