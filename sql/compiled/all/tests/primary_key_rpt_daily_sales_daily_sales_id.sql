-- tests/primary_key_rpt_daily_sales_daily_sales_id (error)
select
    daily_sales_id,
    count(*) as row_count
from rpt_daily_sales
group by daily_sales_id
having count(*) > 1
    or daily_sales_id is null
