-- tests/primary_key_int_currencies_table_name__currency (error)
select
    table_name, currency,
    count(*) as row_count
from int_currencies
group by table_name, currency
having count(*) > 1
    or table_name is null or currency is null
