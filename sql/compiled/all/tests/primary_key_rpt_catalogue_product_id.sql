-- tests/primary_key_rpt_catalogue_product_id (error)
select
    product_id,
    count(*) as row_count
from rpt_catalogue
group by product_id
having count(*) > 1
    or product_id is null
