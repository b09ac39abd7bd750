-- tests/primary_key_dim_brands_brand_id (error)
select
    brand_id,
    count(*) as row_count
from dim_brands
group by brand_id
having count(*) > 1
    or brand_id is null
