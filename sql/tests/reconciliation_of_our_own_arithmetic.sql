select
    check_name,
    resource,
    expected,
    found,
    difference_count
from {{ ref('rpt_reconciliation') }}
where severity = 'error'
    and not is_reconciled
