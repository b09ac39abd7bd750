-- tests/primary_key_rpt_geography_geography_id (error)
select
    geography_id,
    count(*) as row_count
from rpt_geography
group by geography_id
having count(*) > 1
    or geography_id is null
