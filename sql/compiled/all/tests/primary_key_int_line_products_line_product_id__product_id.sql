-- tests/primary_key_int_line_products_line_product_id__product_id (error)
select
    line_product_id, product_id,
    count(*) as row_count
from int_line_products
group by line_product_id, product_id
having count(*) > 1
    or line_product_id is null or product_id is null
