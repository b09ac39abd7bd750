-- tests/primary_key_stg_wholesale__variant_observations_variant_id__observed_at (warn)
select
    variant_id, observed_at,
    count(*) as row_count
from stg_wholesale__variant_observations
group by variant_id, observed_at
having count(*) > 1
    or variant_id is null or observed_at is null
