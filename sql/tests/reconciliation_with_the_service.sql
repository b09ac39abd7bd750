{{ config(severity='warn') }}

select *
from {{ ref('rpt_reconciliation') }}
where severity = 'warn'
    and not is_reconciled
