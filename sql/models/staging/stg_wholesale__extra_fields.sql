with

source as (

    {{ raw('extra_fields') }}

),

renamed as (

    select
        -- keys
        table_name || '-' || record_id || '-' || field_name as extra_field_id,
        record_id,

        -- text
        table_name as record_kind,
        field_name,
        field_value,

        -- flags
        is_of_its_type

    from source

)

select * from renamed
