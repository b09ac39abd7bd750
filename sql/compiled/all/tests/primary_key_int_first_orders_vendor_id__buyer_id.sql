-- tests/primary_key_int_first_orders_vendor_id__buyer_id (error)
select
    vendor_id, buyer_id,
    count(*) as row_count
from int_first_orders
group by vendor_id, buyer_id
having count(*) > 1
    or vendor_id is null or buyer_id is null
