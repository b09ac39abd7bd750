-- tests/primary_key_rpt_quarantine_quarantine_id (error)
select
    quarantine_id,
    count(*) as row_count
from rpt_quarantine
group by quarantine_id
having count(*) > 1
    or quarantine_id is null
