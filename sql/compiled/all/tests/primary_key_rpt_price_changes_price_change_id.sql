-- tests/primary_key_rpt_price_changes_price_change_id (error)
select
    price_change_id,
    count(*) as row_count
from rpt_price_changes
group by price_change_id
having count(*) > 1
    or price_change_id is null
