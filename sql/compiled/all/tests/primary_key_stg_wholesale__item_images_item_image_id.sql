-- tests/primary_key_stg_wholesale__item_images_item_image_id (error)
select
    item_image_id,
    count(*) as row_count
from stg_wholesale__item_images
group by item_image_id
having count(*) > 1
    or item_image_id is null
