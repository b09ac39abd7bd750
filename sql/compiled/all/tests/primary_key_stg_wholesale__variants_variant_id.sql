-- tests/primary_key_stg_wholesale__variants_variant_id (error)
select
    variant_id,
    count(*) as row_count
from stg_wholesale__variants
group by variant_id
having count(*) > 1
    or variant_id is null
