-- tests/primary_key_int_line_names_line_product_id (error)
select
    line_product_id,
    count(*) as row_count
from int_line_names
group by line_product_id
having count(*) > 1
    or line_product_id is null
