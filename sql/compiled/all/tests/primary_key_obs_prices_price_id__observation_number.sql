-- tests/primary_key_obs_prices_price_id__observation_number (error)
select
    price_id, observation_number,
    count(*) as row_count
from obs_prices
group by price_id, observation_number
having count(*) > 1
    or price_id is null or observation_number is null
