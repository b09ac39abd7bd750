-- tests/primary_key_obs_orders_order_id__observation_number (error)
select
    order_id, observation_number,
    count(*) as row_count
from obs_orders
group by order_id, observation_number
having count(*) > 1
    or order_id is null or observation_number is null
