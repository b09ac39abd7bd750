-- tests/primary_key_dim_dates_date_day (error)
select
    date_day,
    count(*) as row_count
from dim_dates
group by date_day
having count(*) > 1
    or date_day is null
