-- tests/belongs_to_dim_items_vendor_id__vendor_id__ref_dim_vendors_ (warn)
select
    vendor_id,
    count(*) as row_count
from dim_items
where vendor_id is not null
    and vendor_id not in (select vendor_id from dim_vendors where vendor_id is not null)
group by vendor_id
