with

extra_fields as (

    select * from {{ ref('stg_wholesale__extra_fields') }}

),

final as (

    select
        extra_field_id,
        record_kind,
        record_id,
        field_name,
        field_value,
        is_of_its_type
    from extra_fields

)

select * from final
