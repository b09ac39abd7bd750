-- staging/stg_wholesale__item_options (view)
with

source as (

    select
        case
        when length(`item_id`) = 36 and `item_id` = lower(`item_id`) then `item_id`
        when `item_id` rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(`item_id`, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else `item_id`
    end as `item_id`,
        `option_number`,
        `name`,
        `values`,
        `_extra`
    from declared_items__options

),

renamed as (

    select
        -- keys
        item_id || '-' || option_number as item_option_id,
        item_id,

        -- text
        name as option_name,

        -- numbers
        option_number,

        -- lists
        values as option_values

    from source

)

select * from renamed
