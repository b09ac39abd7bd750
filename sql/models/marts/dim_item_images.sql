with

item_images as (

    select * from {{ ref('stg_wholesale__item_images') }}

),

final as (

    select
        item_image_id,
        item_id,
        image_position,
        url,
        is_deleted,
        created_at,
        updated_at,
        deleted_at
    from item_images

)

select * from final
