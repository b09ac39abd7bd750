-- tests/primary_key_stg_wholesale__vendors_vendor_id (error)
select
    vendor_id,
    count(*) as row_count
from stg_wholesale__vendors
group by vendor_id
having count(*) > 1
    or vendor_id is null
