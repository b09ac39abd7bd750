-- tests/primary_key_int_silent_buyers_buyer_id (error)
select
    buyer_id,
    count(*) as row_count
from int_silent_buyers
group by buyer_id
having count(*) > 1
    or buyer_id is null
