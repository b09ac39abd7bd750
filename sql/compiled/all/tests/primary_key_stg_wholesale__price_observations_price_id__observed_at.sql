-- tests/primary_key_stg_wholesale__price_observations_price_id__observed_at (warn)
select
    price_id, observed_at,
    count(*) as row_count
from stg_wholesale__price_observations
group by price_id, observed_at
having count(*) > 1
    or price_id is null or observed_at is null
