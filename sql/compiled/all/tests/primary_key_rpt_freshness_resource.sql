-- tests/primary_key_rpt_freshness_resource (error)
select
    resource,
    count(*) as row_count
from rpt_freshness
group by resource
having count(*) > 1
    or resource is null
