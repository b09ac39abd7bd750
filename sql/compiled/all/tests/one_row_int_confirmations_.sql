-- tests/one_row_int_confirmations_ (error)
select count(*) as row_count
from int_confirmations
having count(*) <> 1
