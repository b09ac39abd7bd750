with

source as (

    {{ raw('price_lists') }}

),

renamed as (

    select
        -- keys
        id as price_list_id,

        -- text
        title as price_list_title,
        description,

        -- times
        created_at,
        updated_at,

        -- deletion
        _deleted_at is not null as is_deleted,
        _deleted_at as deleted_at

    from source

)

select * from renamed
