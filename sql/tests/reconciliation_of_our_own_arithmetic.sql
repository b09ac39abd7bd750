select *
from {{ ref('rpt_reconciliation') }}
where severity = 'error'
    and not is_reconciled
