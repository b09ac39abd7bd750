-- tests/primary_key_int_named_products_line_product_id (error)
select
    line_product_id,
    count(*) as row_count
from int_named_products
group by line_product_id
having count(*) > 1
    or line_product_id is null
