"""No record stops a build or bends what is said of the others: odd ones are named and counted."""

from datetime import date
from pathlib import Path

import duckdb
import pytest

from support.few import few
from support.warehouses.destinations import differences_in
from support.warehouses.marts import Marts
from support.warehouses.rendered import called

pytestmark = pytest.mark.slow

PICK = (
    "create table picked as select id, row_number() over (order by id) as n"
    " from wholesale_raw.orders where status = 'delivered'"
)
SALES = "select order_count, sales_amount, billed_amount from wholesale_bi.rpt_headlines"


def of(*numbers: int) -> str:
    return f"(select id from picked where n in ({', '.join(map(str, numbers))}))"


def test_values_that_nobody_believes_are_set_aside_and_the_rest_stays_exact(marts: Marts) -> None:
    before = marts.rows("select * from wholesale_marts.dim_as_of")
    ((orders, sales, billed),) = marts.rows(SALES)
    lines = "wholesale_raw.orders__order_line_items"
    marts.change(
        PICK,
        f"update wholesale_raw.orders set sub_total = 1e20, total = -1e28 where id in {of(1)}",
        f"update {lines} set quantity = 9000000000000000000 where order_id in {of(2)}",
        f"update {lines} set unit_price = 1e15, quantity = 1000000000 where order_id in {of(3)}",
        "update wholesale_raw.variants set unit_price = 1e25, moq = 9000000000000000000"
        " where id in (select min(id) from wholesale_raw.variants)",
    )
    ((gone_sales, gone_billed),) = marts.rows(
        f"select sub_total, total from wholesale_marts.fct_orders where order_id in {of(1)}"
    )

    warnings = {warning.test: warning.rows for warning in marts.build().warnings}

    assert warnings["values_that_are_set_aside"] == 5
    assert marts.rows(SALES) == [(orders, sales - gone_sales, billed - gone_billed)]
    assert marts.rows(
        "select table_name, field_name, value_count from wholesale_bi.rpt_set_aside order by all"
    ) == [
        ("orders", "sub_total", 1),
        ("orders", "total", 1),
        (
            "orders__order_line_items",
            "quantity",
            marts.rows(f"select count(*) from {lines} where order_id in {of(2)}")[0][0],
        ),
        ("variants", "moq", 1),
        ("variants", "unit_price", 1),
    ]
    assert marts.rows(
        "select check_name, is_reconciled, set_aside_count from wholesale_bi.rpt_reconciliation"
        " where set_aside_count > 0 order by 1"
    ) == [
        (
            "raw lines against fct_order_lines, quantity",
            True,
            marts.rows(f"select count(*) from {lines} where order_id in {of(2)}")[0][0],
        ),
        ("raw orders against fct_orders, sub_total", True, 1),
        ("raw orders against fct_orders, total", True, 1),
    ]
    assert marts.rows(
        f"select set_aside, sub_total from wholesale_marts.fct_orders where order_id in {of(1)}"
    ) == [("sub_total, total", None)]
    assert marts.rows("select * from wholesale_marts.dim_as_of") == before


@pytest.mark.parametrize("day", few(["0001-01-01", "1900-06-01", "2999-12-31", "9999-12-31"], 2))
def test_a_date_that_cannot_be_moves_no_today_and_makes_no_days(marts: Marts, day: str) -> None:
    spans = (
        "select (select as_of_date from wholesale_marts.dim_as_of),"
        " (select count(*) from wholesale_marts.dim_dates),"
        " (select count(*) from wholesale_bi.rpt_periods)"
    )
    before, sales = marts.rows(spans), marts.rows(SALES)
    marts.change(
        PICK,
        f"update wholesale_raw.orders set created_at = '{day} 12:00:00+00' where id in {of(50)}",
        f"update wholesale_raw.orders set updated_at = '{day} 12:00:00+00' where id in {of(60)}",
    )

    warnings = {warning.test: warning.rows for warning in marts.build().warnings}

    assert warnings == {"reconciliation_with_the_service": 1, "values_that_are_set_aside": 2}
    assert marts.rows(spans) == before
    assert marts.rows(SALES) == sales
    assert marts.rows(
        "select set_aside, ordered_date, updated_at is null from wholesale_marts.fct_orders"
        " where set_aside is not null order by 1"
    ) == [
        ("created_at", None, False),
        (
            "updated_at",
            *marts.rows(
                f"select cast(created_at as date) from wholesale_raw.orders where id in {of(60)}"
            )[0],
            True,
        ),
    ]


def test_a_date_ahead_of_the_sync_is_believed_once_a_sync_has_reached_it(marts: Marts) -> None:
    moment = "(select max(ended_at) from wholesale_raw.sync_runs where resource = 'orders')"
    marts.change(
        PICK,
        "update wholesale_raw.sync_runs set ended_at = '2026-07-01 00:00:00+00'",
        f"update wholesale_raw.orders set created_at = {moment} + interval '3 days'"
        f" where id in {of(1)}",
    )
    days = f"select ordered_date from wholesale_marts.fct_orders where order_id in {of(1)}"
    marts.build("fct_orders")
    assert marts.rows(days) == [(None,)]

    marts.change("update wholesale_raw.sync_runs set ended_at = '2026-07-04 00:00:00+00'")
    marts.build("fct_orders")
    assert marts.rows(days) == [(date(2026, 7, 4),)]


def test_keys_of_odd_texts_stay_apart(marts: Marts) -> None:
    marts.change(
        PICK,
        *(
            f"update wholesale_raw.orders set shipping_country = {country},"
            f" shipping_state = {state} where id in {of(number)}"
            for number, (country, state) in enumerate(
                [
                    ("'Guinea'", "'Bissau-Norte'"),
                    ("'Guinea-Bissau'", "'Norte'"),
                    ("'Guinea-Bissau'", "null"),
                    ("null", "'all'"),
                    ("'all'", "null"),
                    ("'unknown'", "null"),
                    ("null", "null"),
                    ("'ZZ'", "null"),
                    ("null", "'ZZ'"),
                    ("'\"all\"'", "null"),
                ],
                1,
            )
        ),
        "create table two as select vendor_id, row_number() over (order by vendor_id) as n"
        " from (select distinct vendor_id from wholesale_raw.orders)",
        "update wholesale_raw.orders set vendor_id = 'v', shipping_country = 'QQ',"
        " shipping_state = 'ZZ' where id in " + of(11),
        "update wholesale_raw.orders set vendor_id = 'v-QQ', shipping_country = 'ZZ',"
        " shipping_state = null where id in " + of(12),
        "update wholesale_raw.orders set vendor_id = 'all' where id in " + of(13),
        "update wholesale_raw.orders set vendor_id = 'unknown' where id in " + of(14),
        "update wholesale_raw.orders set vendor_id = null where id in " + of(15),
        "update wholesale_raw.orders set buyer_id = 'unknown', payment_status = 'unpaid'"
        " where id in " + of(16),
        "update wholesale_raw.orders set buyer_id = null, payment_status = 'unpaid'"
        " where id in " + of(17),
        *(
            f"update wholesale_raw.orders__order_line_items set item_id = {item}, sku = {sku}"
            f" where order_id in {of(number)}"
            for number, (item, sku) in enumerate(
                [
                    ("'free'", "null"),
                    ("'free'", "''"),
                    ("'free-'", "''"),
                    ("'free'", "'-'"),
                    ("null", "''"),
                    ("''", "null"),
                    ("null", "null"),
                ],
                20,
            )
        ),
    )

    marts.build("rpt_orders", "rpt_sales_by_period_totals", "rpt_headlines", "rpt_catalogue")

    assert marts.rows(
        "select state from wholesale_bi.rpt_orders where order_id in "
        f"{of(*range(1, 11))} order by (select n from picked where id = order_id)"
    ) == [
        (state,)
        for state in (
            *("Guinea-Bissau-Norte", '"Guinea-Bissau"-Norte', '"Guinea-Bissau"', "unknown-all"),
            *('"all"', '"unknown"', "unknown", "ZZ", "unknown-ZZ", '"""all"""'),
        )
    ]
    assert marts.rows(
        "select vendor_id from wholesale_bi.rpt_orders where order_id in "
        f"{of(13, 14, 15)} order by (select n from picked where id = order_id)"
    ) == [('"all"',), ('"unknown"',), ("unknown",)]
    assert marts.rows(
        "select order_count, sales_amount from wholesale_bi.rpt_sales_by_period_totals"
        " where period_key = 'all_time' and vendor_id = 'all' and state = 'all'"
    ) == marts.rows("select order_count, sales_amount from wholesale_bi.rpt_headlines")
    assert marts.rows(
        "select count(*) from wholesale_bi.rpt_catalogue where product_kind = 'unlisted'"
    ) == [(7,)]


def test_equal_changes_of_two_lines_do_not_hide_each_other(marts: Marts) -> None:
    """Nor do those of two comments: nothing in the order itself tells of either."""
    marts.change(
        "create table two as select order_id from wholesale_raw.orders__order_line_items"
        " group by order_id having count(*) > 1 order by order_id limit 2",
        "update wholesale_raw.orders__order_line_items set discount_amount = 7.77 where order_id in"
        " (select min(order_id) from two)",
        *(
            "insert into wholesale_raw.orders__order_comments (order_id, comment_number, body,"
            f" created_at) select max(order_id), {number}, 'x', '2026-01-01' from two"
            for number in (98, 99)
        ),
    )
    marts.build()
    marts.change(
        "update wholesale_raw.orders__order_line_items set discount_amount = 1.23 where order_id in"
        " (select min(order_id) from two)",
        "update wholesale_raw.orders__order_comments set created_at = '2026-02-02'"
        " where comment_number in (98, 99)",
    )

    marts.build()

    assert marts.rows(
        "select distinct discount_amount from wholesale_marts.fct_order_lines where order_id in"
        " (select min(order_id) from two)"
    ) == marts.rows("select cast(1.23 as decimal(38, 9))")


WHITE_SPACE = [char for char in map(chr, range(0x11_0000)) if char.isspace()]


def test_white_space_is_what_python_takes_off_settings() -> None:
    state, sku = (called(f"{name}('text')") for name in ("state_name", "sku_key"))
    with duckdb.connect() as connection:
        found = connection.execute(
            f"select {state}, {sku} from (select unnest(?) as text)",
            [[f"{char}A{char}b{char}" for char in (*WHITE_SPACE, "\u200b")]],
        ).fetchall()
    assert found == [
        *((f"a{char}b", "ab") for char in WHITE_SPACE),
        ("\u200ba\u200bb\u200b", "\u200ba\u200bb\u200b"),
    ]


def test_states_and_skus_mean_the_same_however_they_are_spaced_in_every_database(
    marts: Marts, socket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "wholesale_raw.orders__order_line_items"
    ((orders,),) = marts.rows("select order_count from wholesale_bi.rpt_headlines")
    products = marts.rows(
        "select product_id, order_count from wholesale_bi.rpt_catalogue order by all"
    )
    odd = [
        "Cancelled\u00a0",
        "\u2003CANCELLED",
        "cancelled\u202f",
        "\u3000Cancelled",
        "Cancelled\n",
    ]
    marts.change(
        PICK,
        *(
            f"update {lines} set sku = ' ' || lower(sku) || chr({code})"
            f" where order_id in {of(number)}"
            for number, code in enumerate((9, 10, 160, 8195), 20)
        ),
    )
    marts.build()
    assert (
        marts.rows("select product_id, order_count from wholesale_bi.rpt_catalogue order by all")
        == products
    )
    marts.change(
        *(
            f"update wholesale_raw.orders set status = '{status}' where id in {of(number)}"
            for number, status in enumerate(odd, 1)
        ),
        f"update {lines} set quantity = null where order_id in {of(9)} and line_number = 1",
        f"update {lines} set total_price = null where order_id in {of(10)} and line_number = 1",
    )

    warnings = {warning.test: warning.rows for warning in marts.build().warnings}

    assert warnings == {
        "lines_without_a_quantity_or_an_amount": 2,
        "reconciliation_with_the_service": 1,
    }
    assert marts.rows(
        "select order_count, lines_without_quantity_count, lines_without_amount_count"
        " from wholesale_bi.rpt_headlines"
    ) == [(orders - len(odd), 1, 1)]
    assert differences_in(marts, "postgres", tmp_path, socket, monkeypatch) == []


@pytest.mark.parametrize(
    ("setting", "is_expected"), [("XXX", (False, False)), ("EUR", (True, False))]
)
def test_two_currencies_are_warned_of(
    marts: Marts, monkeypatch: pytest.MonkeyPatch, setting: str, is_expected: tuple[bool, bool]
) -> None:
    """Of cancelled and deleted orders none is, as they are in no sum."""
    monkeypatch.setenv("BUILD__CURRENCY", setting)
    marts.change(
        PICK,
        "alter table wholesale_raw.orders add currency text",
        f"update wholesale_raw.orders set currency = ' eur\u00a0' where id in {of(6, 7)}",
        f"update wholesale_raw.orders set currency = 'USD' where id in {of(1, 8)}",
        f"update wholesale_raw.orders set status = 'cancelled' where id in {of(1)}",
    )

    warnings = {warning.test: warning.rows for warning in marts.build().warnings}

    assert warnings == {"currencies_that_are_added_up": is_expected.count(False)}
    assert marts.rows("select * from wholesale_bi.rpt_currencies order by 1") == [
        ("orders-EUR", "orders", "EUR", 2, is_expected[0]),
        ("orders-USD", "orders", "USD", 1, is_expected[1]),
    ]


def test_the_day_of_a_sync_is_in_the_figures_when_a_later_sync_finds_it_over(marts: Marts) -> None:
    figures = (
        "select as_of_date, figures_up_to, (select max(last_day) from wholesale_bi.rpt_periods"
        " where period_kind <> 'all') from wholesale_bi.rpt_headlines"
    )
    ((as_of, *_),) = marts.rows(figures)
    day_before = date.fromordinal(as_of.toordinal() - 1)
    for hour, last in ((6, day_before), (23, day_before), (30, as_of)):
        marts.change(
            f"update wholesale_raw.sync_runs set started_at = timestamptz '{as_of} 00:00:00+00'"
            f" + interval '{hour} hours' where resource = 'orders'"
        )
        marts.build()
        assert marts.rows(figures) == [(as_of, last, last)]
    assert marts.build().models == 0
