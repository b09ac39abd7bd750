-- tests/belongs_to_dim_items_brand_id__brand_id__ref_dim_brands_ (warn)
select
    brand_id,
    count(*) as row_count
from dim_items
where brand_id is not null
    and brand_id not in (select brand_id from dim_brands where brand_id is not null)
group by brand_id
