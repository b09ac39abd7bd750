-- tests/primary_key_rpt_open_orders_totals_open_orders_id (error)
select
    open_orders_id,
    count(*) as row_count
from rpt_open_orders_totals
group by open_orders_id
having count(*) > 1
    or open_orders_id is null
