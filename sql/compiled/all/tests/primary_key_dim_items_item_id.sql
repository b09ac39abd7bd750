-- tests/primary_key_dim_items_item_id (error)
select
    item_id,
    count(*) as row_count
from dim_items
group by item_id
having count(*) > 1
    or item_id is null
