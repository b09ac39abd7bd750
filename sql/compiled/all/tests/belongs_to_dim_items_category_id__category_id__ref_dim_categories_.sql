-- tests/belongs_to_dim_items_category_id__category_id__ref_dim_categories_ (warn)
select
    child.category_id,
    count(*) as row_count
from dim_items as child
where child.category_id is not null
    and not exists (select 1 from dim_categories as parent where parent.category_id = child.category_id)
group by child.category_id
