-- tests/primary_key_dim_categories_category_id (error)
select
    category_id,
    count(*) as row_count
from dim_categories
group by category_id
having count(*) > 1
    or category_id is null
