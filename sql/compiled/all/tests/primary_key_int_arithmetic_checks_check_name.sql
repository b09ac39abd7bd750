-- tests/primary_key_int_arithmetic_checks_check_name (error)
select
    check_name,
    count(*) as row_count
from int_arithmetic_checks
group by check_name
having count(*) > 1
    or check_name is null
