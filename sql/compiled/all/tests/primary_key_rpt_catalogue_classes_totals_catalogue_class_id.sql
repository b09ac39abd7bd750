-- tests/primary_key_rpt_catalogue_classes_totals_catalogue_class_id (error)
select
    catalogue_class_id,
    count(*) as row_count
from rpt_catalogue_classes_totals
group by catalogue_class_id
having count(*) > 1
    or catalogue_class_id is null
