-- tests/primary_key_rpt_product_sales_by_period_product_sales_by_period_id (error)
select
    product_sales_by_period_id,
    count(*) as row_count
from rpt_product_sales_by_period
group by product_sales_by_period_id
having count(*) > 1
    or product_sales_by_period_id is null
