-- tests/primary_key_int_sales_by_period_sales_by_period_id (error)
select
    sales_by_period_id,
    count(*) as row_count
from int_sales_by_period
group by sales_by_period_id
having count(*) > 1
    or sales_by_period_id is null
