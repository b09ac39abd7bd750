-- tests/primary_key_int_service_checks_check_name__resource (error)
select
    check_name, resource,
    count(*) as row_count
from int_service_checks
group by check_name, resource
having count(*) > 1
    or check_name is null or resource is null
