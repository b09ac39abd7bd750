-- tests/belongs_to_dim_buyer_users_buyer_id__buyer_id__ref_dim_buyers_ (warn)
select
    buyer_id,
    count(*) as row_count
from dim_buyer_users
where buyer_id is not null
    and buyer_id not in (select buyer_id from dim_buyers where buyer_id is not null)
group by buyer_id
