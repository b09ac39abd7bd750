-- tests/primary_key_rpt_tasks_task_id (error)
select
    task_id,
    count(*) as row_count
from rpt_tasks
group by task_id
having count(*) > 1
    or task_id is null
