-- tests/primary_key_rpt_fulfilment_order_id (error)
select
    order_id,
    count(*) as row_count
from rpt_fulfilment
group by order_id
having count(*) > 1
    or order_id is null
