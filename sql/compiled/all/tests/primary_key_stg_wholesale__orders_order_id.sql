-- tests/primary_key_stg_wholesale__orders_order_id (error)
select
    order_id,
    count(*) as row_count
from stg_wholesale__orders
group by order_id
having count(*) > 1
    or order_id is null
