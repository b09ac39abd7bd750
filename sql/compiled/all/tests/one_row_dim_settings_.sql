-- tests/one_row_dim_settings_ (error)
select count(*) as row_count
from dim_settings
having count(*) <> 1
