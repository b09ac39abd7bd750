-- tests/primary_key_dim_item_options_item_option_id (error)
select
    item_option_id,
    count(*) as row_count
from dim_item_options
group by item_option_id
having count(*) > 1
    or item_option_id is null
