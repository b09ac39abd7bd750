-- tests/primary_key_int_order_tasks_task_kind__order_id (error)
select
    task_kind, order_id,
    count(*) as row_count
from int_order_tasks
group by task_kind, order_id
having count(*) > 1
    or task_kind is null or order_id is null
