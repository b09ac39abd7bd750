-- tests/primary_key_int_order_products_order_line_id (error)
select
    order_line_id,
    count(*) as row_count
from int_order_products
group by order_line_id
having count(*) > 1
    or order_line_id is null
