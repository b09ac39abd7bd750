with

values_set_aside as (

    select * from {{ ref('int_values_set_aside') }}

),

final as (

    select
        table_name || '.' || field_name as set_aside_id,
        table_name,
        field_name,
        value_count,
        example_id
    from values_set_aside

)

select * from final
