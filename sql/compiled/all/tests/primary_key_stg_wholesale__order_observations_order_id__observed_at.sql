-- tests/primary_key_stg_wholesale__order_observations_order_id__observed_at (warn)
select
    order_id, observed_at,
    count(*) as row_count
from stg_wholesale__order_observations
group by order_id, observed_at
having count(*) > 1
    or order_id is null or observed_at is null
