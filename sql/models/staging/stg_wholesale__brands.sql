with

source as (

    {{ raw('brands') }}

),

renamed as (

    select
        -- keys
        id as brand_id,

        -- text
        title as brand_title,
        handle,
        description,
        logo,

        -- times
        created_at,
        updated_at,

        -- deletion
        _deleted_at is not null as is_deleted,
        _deleted_at as deleted_at

    from source

)

select * from renamed
