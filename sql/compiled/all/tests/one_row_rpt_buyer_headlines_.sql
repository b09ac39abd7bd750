-- tests/one_row_rpt_buyer_headlines_ (error)
select count(*) as row_count
from rpt_buyer_headlines
having count(*) <> 1
