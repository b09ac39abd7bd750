select
    check_name,
    resource,
    expected,
    found,
    different_row_count
from {{ ref('rpt_reconciliation') }}
where severity = 'error'
    and not is_reconciled
