-- tests/reconciliation_with_the_service (warn)
select
    check_name,
    resource,
    expected,
    found,
    difference_count
from rpt_reconciliation
where severity = 'warn'
    and not is_reconciled
