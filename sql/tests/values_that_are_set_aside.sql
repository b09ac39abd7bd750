{{ config(severity='warn') }}

select
    table_name,
    field_name,
    value_count,
    example_id
from {{ ref('rpt_set_aside') }}
