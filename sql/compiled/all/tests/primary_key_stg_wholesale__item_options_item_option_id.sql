-- tests/primary_key_stg_wholesale__item_options_item_option_id (error)
select
    item_option_id,
    count(*) as row_count
from stg_wholesale__item_options
group by item_option_id
having count(*) > 1
    or item_option_id is null
