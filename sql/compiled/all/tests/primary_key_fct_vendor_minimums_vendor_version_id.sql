-- tests/primary_key_fct_vendor_minimums_vendor_version_id (error)
select
    vendor_version_id,
    count(*) as row_count
from fct_vendor_minimums
group by vendor_version_id
having count(*) > 1
    or vendor_version_id is null
