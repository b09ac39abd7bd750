-- tests/values_that_are_set_aside (warn)
select
    table_name,
    field_name,
    value_count,
    example_id
from rpt_set_aside
