"""What is new: since yesterday, a week ago, and the version before, each order once in a kind."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from support.warehouses.marts import Marts
from support.warehouses.sites import Site, publish

ORDERS = "wholesale_marts.fct_orders"
OBSERVED = "wholesale_marts.fct_order_status_changes"
LONG_AGO = (
    "create table numbered as select order_id, row_number() over (order by order_id) as n"
    f" from {ORDERS} where is_sale and is_return is not true",
    f"update {ORDERS} set ordered_date = date '2020-01-01', ordered_at = '2020-01-01 00:00:00Z'",
    f"delete from {OBSERVED}",
    "delete from wholesale_bi.rpt_price_changes",
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
    " from_as_of timestamptz, metric varchar, period varchar, value_before decimal(38, 9),"
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


def ordered(n: int, days_ago: int, amount: int) -> str:
    return (
        f"update {ORDERS} set sub_total = {amount}, ordered_date = {TODAY} - {days_ago}"
        f" where order_id = {the(n)}"
    )


def became(n: int, state: str, days_ago: int, number: int = 1, before: str = "received") -> str:
    return (
        f"insert into {OBSERVED} by name select order_id || '-{number}' as order_status_change_id,"
        f" order_id, 'order_status' as field_name, '{before}' as state_before,"
        f" '{state}' as state_after, cast({TODAY} - {days_ago} as timestamptz) as observed_at"
        f" from {ORDERS} where order_id = {the(n)}"
    )


def counts(site: Site, since: str) -> dict[str, tuple[int, Any]]:
    return {
        row["kind"]: (row["event_count"], Decimal(row["amount"]))
        for row in site.table("news", "counts")
        if row["since"] == since
    }


def test_orders_are_new_by_their_day(built: Marts, tmp_path: Path) -> None:
    site = publish(
        built,
        tmp_path,
        *LONG_AGO,
        ordered(1, 1, 10),
        ordered(2, 2, 20),
        ordered(3, 7, 40),
        ordered(4, 8, 80),
    )
    assert counts(site, "yesterday")["new"] == (1, 10)
    assert counts(site, "week")["new"] == (3, 70)
    assert counts(site, "version") == {}


def test_the_amount_of_new_orders_without_one_is_not_known(built: Marts, tmp_path: Path) -> None:
    site = publish(
        built,
        tmp_path,
        *LONG_AGO,
        ordered(1, 1, 10),
        f"update {ORDERS} set sub_total = null where order_id = {the(1)}",
    )
    found = {
        row["kind"]: (row["event_count"], row["amount"])
        for row in site.table("news", "counts")
        if row["since"] == "yesterday"
    }
    assert found["new"] == (1, None)


def test_a_state_is_news_only_while_it_holds_and_once(built: Marts, tmp_path: Path) -> None:
    site = publish(
        built,
        tmp_path,
        *LONG_AGO,
        f"update {ORDERS} set order_status = 'shipped', sub_total = 5 where order_id = {the(1)}",
        f"update {ORDERS} set order_status = 'delivered' where order_id = {the(2)}",
        became(1, "shipped", 3, 1),
        became(1, "shipped", 1, 2),
        became(2, "shipped", 1),
    )
    assert counts(site, "yesterday") == {"sent": (1, 5)}
    assert counts(site, "week") == {"sent": (1, 5)}


def test_what_was_cancelled_before_is_not_cancelled_once_more(built: Marts, tmp_path: Path) -> None:
    states = {1: ("received", "Void"), 2: ("Cancelled ", "void"), 3: ("void", "cancelled")}
    site = publish(
        built,
        tmp_path,
        *LONG_AGO,
        *(
            f"update {ORDERS} set order_status = '{after}', sub_total = 5, is_sale = false,"
            f" is_cancelled = true where order_id = {the(n)}"
            for n, (_, after) in states.items()
        ),
        *(became(n, after, 1, before=before) for n, (before, after) in states.items()),
    )
    assert counts(site, "yesterday") == {"cancelled": (1, -5)}


def became_in(n: int, field: str, value: str) -> str:
    return f"insert into main.change_fields values ({the(n)}, null, '{field}', 'before', '{value}')"


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
        "insert into main.why_totals values ('version_before', 'v', '2026-01-01 00:00:00Z',"
        " 'sales', 'all_time', 1, 3, 2)",
        change("new", 1, 10),
        change("found late", 2, 20),
        change("cancelled", 3, -5),
        change("edited", 4, 7),
        change("edited", 4, 7, "1"),
        change("state changed", 5, 0),
        became_in(5, "payment_status", "Paid"),
        f"update {ORDERS} set total = 33 where order_id = {the(5)}",
        change("edited", 6, 0),
        became_in(6, "status", "Shipped"),
        became_in(6, "invoice_status", "Invoiced"),
        f"update {ORDERS} set sub_total = 44 where order_id = {the(6)}",
        change("edited", 7, 0),
        became_in(7, "updated_at", "2026-01-02T00:00:00Z"),
        "insert into main.why_totals values"
        " ('day_before', 'd', '2026-01-01 00:00:00Z', 'sales', 'all_time', 1, 3, 2),"
        " ('week_before', 'w', '2025-12-28 00:00:00Z', 'sales', 'all_time', 1, 3, 2)",
        *(
            f"insert into main.why_orders select '{since}', 'sales', 'all_time', '{cause}', '',"
            f" order_id, order_number, {amount} from {ORDERS} where order_id = {the(n)}"
            for since, cause, n, amount in (
                ("day_before", "edited", 4, 7),
                ("week_before", "edited", 8, 9),
                ("week_before", "deleted", 9, -3),
                ("week_before", "cancelled", 3, -5),
            )
        ),
    )


def test_since_the_version_before_orders_count_once_by_what_became_of_them(compared: Site) -> None:
    found = counts(compared, "version")
    assert {kind: found[kind] for kind in found if kind != "first"} == {
        "new": (2, 30),
        "cancelled": (1, -5),
        "edited": (1, 7),
        "settled": (1, 33),
        "sent": (1, 44),
    }


def test_edits_and_deletions_are_told_of_yesterday_and_a_week_as_far_as_versions_reach(
    compared: Site,
) -> None:
    assert counts(compared, "yesterday")["edited"] == (1, 7)
    assert counts(compared, "week")["edited"] == (1, 9)
    assert counts(compared, "week")["deleted"] == (1, -3)
    [windows] = compared.table("news", "windows")
    assert (windows["edits_of_yesterday"], windows["edits_of_week"]) == (True, True)
    listed = [
        (row["since"], row["kind"], row["amount"]) for row in compared.table("events", "edits")
    ]
    assert sorted(listed) == [
        ("week", "deleted", "-3"),
        ("week", "edited", "9"),
        ("yesterday", "edited", "7"),
    ]


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
    assert [row["difference"] for row in compared.table("changes", "totals")] == ["2"] * 3


def test_a_publication_that_compares_nothing_has_no_changes(site: Site) -> None:
    assert site.content("changes") == {}
    [windows] = site.table("news", "windows")
    assert windows["version_before"] is None
    assert (windows["edits_of_yesterday"], windows["edits_of_week"]) == (False, False)
