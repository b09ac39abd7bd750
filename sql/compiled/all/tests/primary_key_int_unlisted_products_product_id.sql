-- tests/primary_key_int_unlisted_products_product_id (error)
select
    product_id,
    count(*) as row_count
from int_unlisted_products
group by product_id
having count(*) > 1
    or product_id is null
