with

source as (

    {{ raw('item_images') }}

),

renamed as (

    select
        -- keys
        id as item_image_id,
        item_id,

        -- text
        url,

        -- numbers
        position as image_position,

        -- times
        created_at,
        updated_at,

        -- deletion
        _deleted_at is not null as is_deleted,
        _deleted_at as deleted_at

    from source

)

select * from renamed
