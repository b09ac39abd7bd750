-- tests/primary_key_dim_price_lists_price_list_id (error)
select
    price_list_id,
    count(*) as row_count
from dim_price_lists
group by price_list_id
having count(*) > 1
    or price_list_id is null
