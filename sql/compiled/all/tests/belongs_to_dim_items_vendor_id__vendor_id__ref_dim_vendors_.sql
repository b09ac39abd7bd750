-- tests/belongs_to_dim_items_vendor_id__vendor_id__ref_dim_vendors_ (warn)
select
    child.vendor_id,
    count(*) as row_count
from dim_items as child
where child.vendor_id is not null
    and not exists (select 1 from dim_vendors as parent where parent.vendor_id = child.vendor_id)
group by child.vendor_id
