-- tests/primary_key_rpt_payment_ageing_payment_ageing_id (error)
select
    payment_ageing_id,
    count(*) as row_count
from rpt_payment_ageing
group by payment_ageing_id
having count(*) > 1
    or payment_ageing_id is null
