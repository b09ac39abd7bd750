-- tests/primary_key_dim_vendors_vendor_id (error)
select
    vendor_id,
    count(*) as row_count
from dim_vendors
group by vendor_id
having count(*) > 1
    or vendor_id is null
