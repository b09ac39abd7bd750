-- tests/primary_key_stg_wholesale__items_item_id (error)
select
    item_id,
    count(*) as row_count
from stg_wholesale__items
group by item_id
having count(*) > 1
    or item_id is null
