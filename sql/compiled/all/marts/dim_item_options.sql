-- marts/dim_item_options (table)
--   item_option_id text
--   item_id text
--   option_number bigint
--   option_name text
--   option_values json
with

item_options as (

    select * from stg_wholesale__item_options

),

final as (

    select
        item_option_id,
        item_id,
        option_number,
        option_name,
        option_values
    from item_options

)

select * from final
