-- tests/primary_key_rpt_buyer_concentration_totals_vendor_id (error)
select
    vendor_id,
    count(*) as row_count
from rpt_buyer_concentration_totals
group by vendor_id
having count(*) > 1
    or vendor_id is null
