-- tests/belongs_to_dim_items_category_id__category_id__ref_dim_categories_ (warn)
select
    category_id,
    count(*) as row_count
from dim_items
where category_id is not null
    and category_id not in (select category_id from dim_categories where category_id is not null)
group by category_id
