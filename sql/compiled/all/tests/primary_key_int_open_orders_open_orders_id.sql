-- tests/primary_key_int_open_orders_open_orders_id (error)
select
    open_orders_id,
    count(*) as row_count
from int_open_orders
group by open_orders_id
having count(*) > 1
    or open_orders_id is null
