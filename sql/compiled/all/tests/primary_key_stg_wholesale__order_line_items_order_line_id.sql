-- tests/primary_key_stg_wholesale__order_line_items_order_line_id (error)
select
    order_line_id,
    count(*) as row_count
from stg_wholesale__order_line_items
group by order_line_id
having count(*) > 1
    or order_line_id is null
