"""A build after a small change computes the changed orders only, and comes to the same rows."""

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
