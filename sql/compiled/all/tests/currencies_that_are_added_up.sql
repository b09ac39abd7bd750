-- tests/currencies_that_are_added_up (warn)
select
    table_name,
    currency,
    record_count
from rpt_currencies
where not is_expected
