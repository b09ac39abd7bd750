-- marts/dim_variant_options (table)
--   variant_option_id text
--   variant_id text
--   option_number bigint
--   option_name text
--   option_value text
with

variant_options as (

    select * from stg_wholesale__variant_options

),

final as (

    select
        variant_option_id,
        variant_id,
        option_number,
        option_name,
        option_value
    from variant_options

)

select * from final
