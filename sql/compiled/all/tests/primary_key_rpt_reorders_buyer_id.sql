-- tests/primary_key_rpt_reorders_buyer_id (error)
select
    buyer_id,
    count(*) as row_count
from rpt_reorders
group by buyer_id
having count(*) > 1
    or buyer_id is null
