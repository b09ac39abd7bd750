-- tests/primary_key_obs_variants_variant_id__observation_number (error)
select
    variant_id, observation_number,
    count(*) as row_count
from obs_variants
group by variant_id, observation_number
having count(*) > 1
    or variant_id is null or observation_number is null
