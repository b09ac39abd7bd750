with

source as (

    {{ raw('custom_fields') }}

),

renamed as (

    select
        -- keys
        id as custom_field_id,

        -- text
        name as custom_field_name,
        kind as custom_field_kind,
        applies_to,

        -- times
        created_at,
        updated_at,

        -- deletion
        _deleted_at is not null as is_deleted,
        _deleted_at as deleted_at

    from source

)

select * from renamed
