-- tests/primary_key_rpt_price_realisation_price_realisation_id (error)
select
    price_realisation_id,
    count(*) as row_count
from rpt_price_realisation
group by price_realisation_id
having count(*) > 1
    or price_realisation_id is null
