-- tests/belongs_to_fct_variant_prices_variant_id__variant_id__ref_dim_variants_ (error)
select
    variant_id,
    count(*) as row_count
from fct_variant_prices
where variant_id is not null
    and variant_id not in (select variant_id from dim_variants where variant_id is not null)
group by variant_id
