-- tests/primary_key_int_values_set_aside_table_name__field_name (error)
select
    table_name, field_name,
    count(*) as row_count
from int_values_set_aside
group by table_name, field_name
having count(*) > 1
    or table_name is null or field_name is null
