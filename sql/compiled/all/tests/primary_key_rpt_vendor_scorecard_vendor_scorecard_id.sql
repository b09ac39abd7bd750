-- tests/primary_key_rpt_vendor_scorecard_vendor_scorecard_id (error)
select
    vendor_scorecard_id,
    count(*) as row_count
from rpt_vendor_scorecard
group by vendor_scorecard_id
having count(*) > 1
    or vendor_scorecard_id is null
