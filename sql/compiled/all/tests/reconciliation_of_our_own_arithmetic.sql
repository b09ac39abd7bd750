-- tests/reconciliation_of_our_own_arithmetic (error)
select
    check_name,
    resource,
    expected,
    found,
    difference_count
from rpt_reconciliation
where severity = 'error'
    and not is_reconciled
