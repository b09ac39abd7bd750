-- tests/belongs_to_fct_order_lines_item_id__item_id__ref_dim_items_ (warn)
select
    item_id,
    count(*) as row_count
from fct_order_lines
where item_id is not null
    and item_id not in (select item_id from dim_items where item_id is not null)
group by item_id
