-- tests/primary_key_int_near_misses_order_id (error)
select
    order_id,
    count(*) as row_count
from int_near_misses
group by order_id
having count(*) > 1
    or order_id is null
