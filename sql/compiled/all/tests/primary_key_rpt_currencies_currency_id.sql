-- tests/primary_key_rpt_currencies_currency_id (error)
select
    currency_id,
    count(*) as row_count
from rpt_currencies
group by currency_id
having count(*) > 1
    or currency_id is null
