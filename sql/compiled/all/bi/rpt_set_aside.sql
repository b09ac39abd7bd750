-- bi/rpt_set_aside (table)
--   set_aside_id text
--   table_name text
--   field_name text
--   value_count bigint
--   example_id text
with

values_set_aside as (

    select * from int_values_set_aside

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
