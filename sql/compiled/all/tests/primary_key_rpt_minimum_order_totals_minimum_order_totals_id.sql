-- tests/primary_key_rpt_minimum_order_totals_minimum_order_totals_id (error)
select
    minimum_order_totals_id,
    count(*) as row_count
from rpt_minimum_order_totals
group by minimum_order_totals_id
having count(*) > 1
    or minimum_order_totals_id is null
