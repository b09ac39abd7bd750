-- tests/primary_key_obs_vendors_vendor_id__observation_number (error)
select
    vendor_id, observation_number,
    count(*) as row_count
from obs_vendors
group by vendor_id, observation_number
having count(*) > 1
    or vendor_id is null or observation_number is null
