-- staging/stg_wholesale__order_line_items (view)
with

source as (

    select
        case
        when length(`order_id`) = 36 and `order_id` = lower(`order_id`) then `order_id`
        when `order_id` rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(`order_id`, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else `order_id`
    end as `order_id`,
        `line_number`,
        case
        when length(`item_id`) = 36 and `item_id` = lower(`item_id`) then `item_id`
        when `item_id` rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(`item_id`, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else `item_id`
    end as `item_id`,
        `title`,
        `variant`,
        `sku`,
        `quantity`,
        `unit_price`,
        `total_price`,
        `discount_amount`,
        `categoy_name`,
        `vendor_name`,
        `_extra`,
        case
        when length(`variant_id`) = 36 and `variant_id` = lower(`variant_id`) then `variant_id`
        when `variant_id` rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(`variant_id`, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else `variant_id`
    end as `variant_id`
    from declared_orders__order_line_items

),

renamed as (

    select
        -- keys
        order_id || '-' || line_number as order_line_id,
        order_id,
        item_id,
        variant_id,

        -- text
        sku,
        title as item_title,
        variant as variant_title,
        categoy_name as category_name,
        vendor_name,

        -- numbers
        line_number,
        case when quantity between -(select build.largest_quantity from build_settings as build) and (select build.largest_quantity from build_settings as build) then quantity end as quantity,

        -- amounts
        case when unit_price between -(select build.largest_amount from build_settings as build) and (select build.largest_amount from build_settings as build) then unit_price end as unit_price,
        case when total_price between -(select build.largest_amount from build_settings as build) and (select build.largest_amount from build_settings as build) then total_price end as total_price,
        case when discount_amount between -(select build.largest_amount from build_settings as build) and (select build.largest_amount from build_settings as build) then discount_amount end as discount_amount,

        -- what is not believed
        nullif(concat_ws(
        ', ',
        case when not unit_price between -(select build.largest_amount from build_settings as build) and (select build.largest_amount from build_settings as build) then 'unit_price' end,
        case when not total_price between -(select build.largest_amount from build_settings as build) and (select build.largest_amount from build_settings as build) then 'total_price' end,
        case when not discount_amount between -(select build.largest_amount from build_settings as build) and (select build.largest_amount from build_settings as build) then 'discount_amount' end,
        case when not quantity between -(select build.largest_quantity from build_settings as build) and (select build.largest_quantity from build_settings as build) then 'quantity' end
    ), '') as set_aside

    from source

)

select * from renamed
