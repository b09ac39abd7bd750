-- tests/primary_key_int_daily_sales_vendor_id__date_day (error)
select
    vendor_id, date_day,
    count(*) as row_count
from int_daily_sales
group by vendor_id, date_day
having count(*) > 1
    or vendor_id is null or date_day is null
