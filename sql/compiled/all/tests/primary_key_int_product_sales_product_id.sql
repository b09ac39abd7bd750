-- tests/primary_key_int_product_sales_product_id (error)
select
    product_id,
    count(*) as row_count
from int_product_sales
group by product_id
having count(*) > 1
    or product_id is null
