-- tests/primary_key_rpt_periods_period_key (error)
select
    period_key,
    count(*) as row_count
from rpt_periods
group by period_key
having count(*) > 1
    or period_key is null
