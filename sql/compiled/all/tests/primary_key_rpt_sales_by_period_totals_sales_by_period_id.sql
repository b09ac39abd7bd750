-- tests/primary_key_rpt_sales_by_period_totals_sales_by_period_id (error)
select
    sales_by_period_id,
    count(*) as row_count
from rpt_sales_by_period_totals
group by sales_by_period_id
having count(*) > 1
    or sales_by_period_id is null
