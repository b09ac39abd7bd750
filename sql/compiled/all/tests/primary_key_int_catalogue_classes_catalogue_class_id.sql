-- tests/primary_key_int_catalogue_classes_catalogue_class_id (error)
select
    catalogue_class_id,
    count(*) as row_count
from int_catalogue_classes
group by catalogue_class_id
having count(*) > 1
    or catalogue_class_id is null
