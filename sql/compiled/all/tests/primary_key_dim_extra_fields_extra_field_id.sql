-- tests/primary_key_dim_extra_fields_extra_field_id (error)
select
    extra_field_id,
    count(*) as row_count
from dim_extra_fields
group by extra_field_id
having count(*) > 1
    or extra_field_id is null
