-- tests/one_row_dim_as_of_ (error)
select count(*) as row_count
from dim_as_of
having count(*) <> 1
