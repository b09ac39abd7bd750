-- tests/primary_key_dim_names_name_kind__name_key (error)
select
    name_kind, name_key,
    count(*) as row_count
from dim_names
group by name_kind, name_key
having count(*) > 1
    or name_kind is null or name_key is null
