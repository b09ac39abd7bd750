-- marts/dim_extra_fields (table)
--   extra_field_id text
--   record_kind text
--   record_id text
--   field_name text
--   field_value text
with

extra_fields as (

    select * from stg_wholesale__extra_fields

),

final as (

    select
        extra_field_id,
        record_kind,
        record_id,
        field_name,
        field_value
    from extra_fields

)

select * from final
