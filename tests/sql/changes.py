"""Changes of raw tables, such as a sync may bring."""

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
