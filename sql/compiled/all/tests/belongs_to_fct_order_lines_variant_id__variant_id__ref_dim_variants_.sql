-- tests/belongs_to_fct_order_lines_variant_id__variant_id__ref_dim_variants_ (error)
select
    child.variant_id,
    count(*) as row_count
from fct_order_lines as child
where child.variant_id is not null
    and not exists (select 1 from dim_variants as parent where parent.variant_id = child.variant_id)
group by child.variant_id
