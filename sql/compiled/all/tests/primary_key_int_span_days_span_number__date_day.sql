-- tests/primary_key_int_span_days_span_number__date_day (error)
select
    span_number, date_day,
    count(*) as row_count
from int_span_days
group by span_number, date_day
having count(*) > 1
    or span_number is null or date_day is null
