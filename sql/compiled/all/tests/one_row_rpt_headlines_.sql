-- tests/one_row_rpt_headlines_ (error)
select count(*) as row_count
from rpt_headlines
having count(*) <> 1
