-- tests/primary_key_fct_order_status_changes_order_status_change_id (error)
select
    order_status_change_id,
    count(*) as row_count
from fct_order_status_changes
group by order_status_change_id
having count(*) > 1
    or order_status_change_id is null
