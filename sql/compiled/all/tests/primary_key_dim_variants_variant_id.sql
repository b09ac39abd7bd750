-- tests/primary_key_dim_variants_variant_id (error)
select
    variant_id,
    count(*) as row_count
from dim_variants
group by variant_id
having count(*) > 1
    or variant_id is null
