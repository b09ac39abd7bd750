select
    check_name,
    resource,
    expected,
    found,
    count_difference
from {{ ref('rpt_reconciliation') }}
where severity = 'error'
    and not is_reconciled
