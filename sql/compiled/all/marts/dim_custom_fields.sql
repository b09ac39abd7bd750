-- marts/dim_custom_fields (table)
--   custom_field_id text
--   custom_field_name text
--   custom_field_kind text
--   applies_to text
--   is_deleted boolean
--   created_at timestamptz
--   updated_at timestamptz
--   deleted_at timestamptz
with

custom_fields as (

    select * from stg_wholesale__custom_fields

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
