-- tests/primary_key_stg_wholesale__brands_brand_id (error)
select
    brand_id,
    count(*) as row_count
from stg_wholesale__brands
group by brand_id
having count(*) > 1
    or brand_id is null
