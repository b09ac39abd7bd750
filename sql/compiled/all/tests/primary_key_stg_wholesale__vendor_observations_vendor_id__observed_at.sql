-- tests/primary_key_stg_wholesale__vendor_observations_vendor_id__observed_at (warn)
select
    vendor_id, observed_at,
    count(*) as row_count
from stg_wholesale__vendor_observations
group by vendor_id, observed_at
having count(*) > 1
    or vendor_id is null or observed_at is null
