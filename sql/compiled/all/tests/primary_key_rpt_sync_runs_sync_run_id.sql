-- tests/primary_key_rpt_sync_runs_sync_run_id (error)
select
    sync_run_id,
    count(*) as row_count
from rpt_sync_runs
group by sync_run_id
having count(*) > 1
    or sync_run_id is null
