-- tests/primary_key_rpt_reconciliation_reconciliation_id (error)
select
    reconciliation_id,
    count(*) as row_count
from rpt_reconciliation
group by reconciliation_id
having count(*) > 1
    or reconciliation_id is null
