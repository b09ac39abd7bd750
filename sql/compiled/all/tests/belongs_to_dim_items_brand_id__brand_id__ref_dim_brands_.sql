-- tests/belongs_to_dim_items_brand_id__brand_id__ref_dim_brands_ (warn)
select
    child.brand_id,
    count(*) as row_count
from dim_items as child
where child.brand_id is not null
    and not exists (select 1 from dim_brands as parent where parent.brand_id = child.brand_id)
group by child.brand_id
