-- tests/primary_key_rpt_order_states_order_state_id (error)
select
    order_state_id,
    count(*) as row_count
from rpt_order_states
group by order_state_id
having count(*) > 1
    or order_state_id is null
