-- tests/primary_key_dim_buyer_users_buyer_user_id (error)
select
    buyer_user_id,
    count(*) as row_count
from dim_buyer_users
group by buyer_user_id
having count(*) > 1
    or buyer_user_id is null
