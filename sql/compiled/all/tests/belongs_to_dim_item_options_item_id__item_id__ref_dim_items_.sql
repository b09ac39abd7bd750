-- tests/belongs_to_dim_item_options_item_id__item_id__ref_dim_items_ (warn)
select
    child.item_id,
    count(*) as row_count
from dim_item_options as child
where child.item_id is not null
    and not exists (select 1 from dim_items as parent where parent.item_id = child.item_id)
group by child.item_id
