-- tests/belongs_to_dim_categories_parent_category_id__category_id__ref_dim_categories_ (warn)
select
    parent_category_id,
    count(*) as row_count
from dim_categories
where parent_category_id is not null
    and parent_category_id not in (select category_id from dim_categories where category_id is not null)
group by parent_category_id
