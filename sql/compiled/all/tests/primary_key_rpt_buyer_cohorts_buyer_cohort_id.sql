-- tests/primary_key_rpt_buyer_cohorts_buyer_cohort_id (error)
select
    buyer_cohort_id,
    count(*) as row_count
from rpt_buyer_cohorts
group by buyer_cohort_id
having count(*) > 1
    or buyer_cohort_id is null
