-- tests/primary_key_int_purchases_order_id (error)
select
    order_id,
    count(*) as row_count
from int_purchases
group by order_id
having count(*) > 1
    or order_id is null
