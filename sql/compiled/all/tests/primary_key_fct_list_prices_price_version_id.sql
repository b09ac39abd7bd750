-- tests/primary_key_fct_list_prices_price_version_id (error)
select
    price_version_id,
    count(*) as row_count
from fct_list_prices
group by price_version_id
having count(*) > 1
    or price_version_id is null
