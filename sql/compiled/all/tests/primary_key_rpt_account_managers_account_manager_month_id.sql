-- tests/primary_key_rpt_account_managers_account_manager_month_id (error)
select
    account_manager_month_id,
    count(*) as row_count
from rpt_account_managers
group by account_manager_month_id
having count(*) > 1
    or account_manager_month_id is null
