-- tests/primary_key_rpt_set_aside_set_aside_id (error)
select
    set_aside_id,
    count(*) as row_count
from rpt_set_aside
group by set_aside_id
having count(*) > 1
    or set_aside_id is null
