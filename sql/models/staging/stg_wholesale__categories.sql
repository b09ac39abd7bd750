with

source as (

    {{ raw('categories') }}

),

renamed as (

    select
        -- keys
        id as category_id,
        parent_id as parent_category_id,

        -- text
        title as category_title,

        -- times
        created_at,
        updated_at,

        -- deletion
        _deleted_at is not null as is_deleted,
        _deleted_at as deleted_at

    from source

)

select * from renamed
