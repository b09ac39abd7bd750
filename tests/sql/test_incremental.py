"""A build after a small change computes the changed orders only, and comes to the same rows."""

from pathlib import Path

import pytest

from support.warehouses.marts import Marts

pytestmark = pytest.mark.slow

CHANGES = (
    # What a sync may bring: edits of an order, its lines and comments, new orders, deletions.
    "create temp table picked as select id, row_number() over (order by id) as n"
    " from wholesale_raw.orders",
    "update wholesale_raw.orders set status = 'cancelled' where id in"
    " (select id from picked where n = 1)",
    "update wholesale_raw.orders set sub_total = sub_total + 0.01, updated_at = '2026-07-02' where"
    " id in (select id from picked where n = 2)",
    "update wholesale_raw.orders set _deleted_at = '2026-07-03' where id in"
    " (select id from picked where n = 3)",
    "update wholesale_raw.orders__order_line_items set quantity = quantity + 1"
    " where line_number = 1 and order_id in (select id from picked where n = 4)",
    "delete from wholesale_raw.orders__order_line_items where line_number = 1"
    " and order_id in (select id from picked where n = 5)",
    "delete from wholesale_raw.orders__order_line_items where order_id in"
    " (select id from picked where n = 6)",
    "insert into wholesale_raw.orders__order_comments (order_id, comment_number, body)"
    " select id, 99, 'late' from picked where n = 7",
    "delete from wholesale_raw.orders where id in (select id from picked where n = 8)",
    "insert into wholesale_raw.orders by name select * replace ('new' as id)"
    " from wholesale_raw.orders where id in (select id from picked where n = 9)",
    "insert into wholesale_raw.orders__order_line_items by name select * replace"
    " ('new' as order_id) from wholesale_raw.orders__order_line_items where order_id in"
    " (select id from picked where n = 9)",
    "update wholesale_raw.variants set unit_price = unit_price * 2 where id in"
    " (select min(id) from wholesale_raw.variants)",
    "delete from wholesale_raw.orders__order_line_items where order_id in"
    " (select id from picked where n = 8)",
    "delete from wholesale_raw.orders__order_comments where order_id in"
    " (select id from picked where n = 8)",
    "update wholesale_raw.sync_runs set last_total_count = ("
    " select count(*) from wholesale_raw.orders where _deleted_at is null)"
    " where resource = 'orders'",
)

EDITED = (
    "update wholesale_raw.orders set sub_total = 0.01, status = 'shipped', _deleted_at = null"
    " where id in (select min(id) from wholesale_raw.orders)"
)
REPORTS = ("rpt_orders", "rpt_minimum_orders")
BESIDE = {
    "nothing": ("select 1", set()),
    "a vendor renamed": (
        "update wholesale_raw.vendors set name = 'Another' where id in"
        " (select max(vendor_id) from wholesale_raw.orders)",
        {*REPORTS},
    ),
    "a minimum observed": (
        "insert into wholesale_raw.vendors__observations by name select * replace"
        " (99 as minimum_order_quantity, observed_at + interval '1 second' as observed_at)"
        " from wholesale_raw.vendors__observations limit 1",
        {"rpt_minimum_orders"},
    ),
    "another day": (
        "update wholesale_raw.orders set updated_at = updated_at - interval '2 days' where"
        " updated_at > (select max(updated_at) - interval '2 days' from wholesale_raw.orders)",
        {"rpt_orders"},
    ),
}


def test_a_build_after_a_change_computes_only_that_and_equals_a_full_one_row_by_row(
    marts: Marts,
) -> None:
    marts.change(
        *CHANGES,
        # Would not survive if any of these orders but the first were computed again.
        "create table untouched as select order_id, po_number from wholesale_marts.fct_orders"
        " where order_id not in (select id from picked where n < 9)",
        "update wholesale_marts.fct_orders set po_number = 'stands'",
    )
    before = marts.contents()

    marts.build()
    assert marts.rows(
        "select count(*) from wholesale_marts.fct_orders where po_number = 'stands'"
    ) == marts.rows("select count(*) from untouched")
    marts.change(
        "update wholesale_marts.fct_orders set po_number = untouched.po_number from untouched"
        " where fct_orders.order_id = untouched.order_id",
    )
    after = marts.contents()

    marts.build(is_full=True)
    assert marts.contents() == after
    assert {table for table in after if after[table] == before[table]} == {
        "wholesale_marts.dim_buyer_users",
        "wholesale_marts.dim_dates",
        "wholesale_marts.dim_items",
        "wholesale_marts.dim_price_lists",
        "wholesale_marts.dim_settings",
        "wholesale_marts.fct_list_prices",
        "wholesale_marts.fct_vendor_minimums",
        "wholesale_bi.rpt_freshness",
        "wholesale_bi.rpt_open_orders",
        "wholesale_bi.rpt_quarantine",
        "wholesale_bi.rpt_set_aside",
    }


@pytest.mark.parametrize("change", BESIDE)
def test_a_report_by_order_is_made_as_a_whole_where_what_else_it_reads_changed(
    marts: Marts, change: str, tmp_path: Path
) -> None:
    statement, made = BESIDE[change]
    marts.change(EDITED, statement)
    changed = marts.copy(tmp_path)
    marts.change(*(f"update wholesale_bi.{name} set order_number = 'stands'" for name in REPORTS))

    marts.build()
    assert made == {
        name
        for name in REPORTS
        if not marts.rows(f"select 1 from wholesale_bi.{name} where order_number = 'stands'")
    }
    marts.change(
        *(
            f"update wholesale_bi.{name} set order_number = fct_orders.order_number"
            f" from wholesale_marts.fct_orders where fct_orders.order_id = {name}.order_id"
            for name in REPORTS
        )
    )
    changed.build(is_full=True)
    assert marts.contents() == changed.contents()
