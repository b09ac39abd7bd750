-- tests/primary_key_int_calendar_periods_period_key (error)
select
    period_key,
    count(*) as row_count
from int_calendar_periods
group by period_key
having count(*) > 1
    or period_key is null
