-- tests/primary_key_stg_wholesale__categories_category_id (error)
select
    category_id,
    count(*) as row_count
from stg_wholesale__categories
group by category_id
having count(*) > 1
    or category_id is null
