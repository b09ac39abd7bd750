-- tests/primary_key_int_last_baskets_buyer_id (error)
select
    buyer_id,
    count(*) as row_count
from int_last_baskets
group by buyer_id
having count(*) > 1
    or buyer_id is null
