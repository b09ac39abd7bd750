with

custom_fields as (

    select * from {{ ref('stg_wholesale__custom_fields') }}

),

final as (

    select
        custom_field_id,
        custom_field_name,
        custom_field_kind,
        applies_to,
        is_deleted,
        created_at,
        updated_at,
        deleted_at
    from custom_fields

)

select * from final
