-- tests/one_row_rpt_health_headlines_ (error)
select count(*) as row_count
from rpt_health_headlines
having count(*) <> 1
