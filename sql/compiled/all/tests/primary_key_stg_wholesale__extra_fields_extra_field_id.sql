-- tests/primary_key_stg_wholesale__extra_fields_extra_field_id (error)
select
    extra_field_id,
    count(*) as row_count
from stg_wholesale__extra_fields
group by extra_field_id
having count(*) > 1
    or extra_field_id is null
