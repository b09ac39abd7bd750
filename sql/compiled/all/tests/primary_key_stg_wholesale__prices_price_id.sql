-- tests/primary_key_stg_wholesale__prices_price_id (error)
select
    price_id,
    count(*) as row_count
from stg_wholesale__prices
group by price_id
having count(*) > 1
    or price_id is null
