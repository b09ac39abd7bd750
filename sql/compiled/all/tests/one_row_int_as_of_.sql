-- tests/one_row_int_as_of_ (error)
select count(*) as row_count
from int_as_of
having count(*) <> 1
