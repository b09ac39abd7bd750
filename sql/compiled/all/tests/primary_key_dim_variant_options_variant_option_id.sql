-- tests/primary_key_dim_variant_options_variant_option_id (error)
select
    variant_option_id,
    count(*) as row_count
from dim_variant_options
group by variant_option_id
having count(*) > 1
    or variant_option_id is null
