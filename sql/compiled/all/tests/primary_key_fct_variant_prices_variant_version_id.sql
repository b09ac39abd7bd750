-- tests/primary_key_fct_variant_prices_variant_version_id (error)
select
    variant_version_id,
    count(*) as row_count
from fct_variant_prices
group by variant_version_id
having count(*) > 1
    or variant_version_id is null
