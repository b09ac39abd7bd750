{{ config(severity='warn') }}

select
    record_kind,
    record_id,
    field_name
from {{ ref('dim_extra_fields') }}
where not is_of_its_type
