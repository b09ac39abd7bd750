-- tests/primary_key_stg_wholesale__quarantine_run_id__resource__page_number__record_index (error)
select
    run_id, resource, page_number, record_index,
    count(*) as row_count
from stg_wholesale__quarantine
group by run_id, resource, page_number, record_index
having count(*) > 1
    or run_id is null or resource is null or page_number is null or record_index is null
