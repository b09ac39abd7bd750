-- tests/primary_key_int_buyer_concentration_vendor_id (error)
select
    vendor_id,
    count(*) as row_count
from int_buyer_concentration
group by vendor_id
having count(*) > 1
    or vendor_id is null
