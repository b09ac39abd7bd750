-- tests/primary_key_int_period_spans_period_key__is_year_before (error)
select
    period_key, is_year_before,
    count(*) as row_count
from int_period_spans
group by period_key, is_year_before
having count(*) > 1
    or period_key is null or is_year_before is null
