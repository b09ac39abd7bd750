with

item_options as (

    select * from {{ ref('stg_wholesale__item_options') }}

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
