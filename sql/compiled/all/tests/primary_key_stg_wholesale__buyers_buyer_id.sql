-- tests/primary_key_stg_wholesale__buyers_buyer_id (error)
select
    buyer_id,
    count(*) as row_count
from stg_wholesale__buyers
group by buyer_id
having count(*) > 1
    or buyer_id is null
