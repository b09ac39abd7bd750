-- tests/primary_key_dim_custom_fields_custom_field_id (error)
select
    custom_field_id,
    count(*) as row_count
from dim_custom_fields
group by custom_field_id
having count(*) > 1
    or custom_field_id is null
