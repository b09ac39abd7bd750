-- tests/belongs_to_dim_categories_parent_category_id__category_id__ref_dim_categories_ (warn)
select
    child.parent_category_id,
    count(*) as row_count
from dim_categories as child
where child.parent_category_id is not null
    and not exists (select 1 from dim_categories as parent where parent.category_id = child.parent_category_id)
group by child.parent_category_id
