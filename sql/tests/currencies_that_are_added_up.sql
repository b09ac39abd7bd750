{{ config(severity='warn') }}

select
    table_name,
    currency,
    record_count
from {{ ref('rpt_currencies') }}
where not is_expected
