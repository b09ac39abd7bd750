-- staging/stg_wholesale__items (view)
with

source as (

    select
        case
        when length(`id`) = 36 and `id` = lower(`id`) then `id`
        when `id` rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(`id`, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else `id`
    end as `id`,
        `title`,
        `description`,
        `product_code`,
        `sku`,
        `upc`,
        `status`,
        case
        when length(`category_id`) = 36 and `category_id` = lower(`category_id`) then `category_id`
        when `category_id` rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(`category_id`, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else `category_id`
    end as `category_id`,
        case
        when length(`vendor_id`) = 36 and `vendor_id` = lower(`vendor_id`) then `vendor_id`
        when `vendor_id` rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(`vendor_id`, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else `vendor_id`
    end as `vendor_id`,
        case
        when length(`brand_id`) = 36 and `brand_id` = lower(`brand_id`) then `brand_id`
        when `brand_id` rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(`brand_id`, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else `brand_id`
    end as `brand_id`,
        `msrp`,
        `unit_price`,
        `map`,
        `moq`,
        `quantity_multiplier`,
        `variants_count`,
        `category_name`,
        `vendor_name`,
        `brand_name`,
        `_extra`,
        `_deleted_at`,
        `currency`
    from declared_items

),

renamed as (

    select
        -- keys
        id as item_id,
        vendor_id,
        brand_id,
        category_id,

        -- text
        title as item_title,
        description,
        product_code,
        sku,
        upc,
        lower(trim(both '\u0009\u000a\u000b\u000c\u000d\u001c\u001d\u001e\u001f\u0020\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from status)) as item_status,
        category_name,
        vendor_name,
        brand_name,
        nullif(upper(trim(both '\u0009\u000a\u000b\u000c\u000d\u001c\u001d\u001e\u001f\u0020\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from currency)), '') as currency,

        -- numbers
        case when moq between -(select build.largest_quantity from build_settings as build) and (select build.largest_quantity from build_settings as build) then moq end as minimum_quantity,
        case when quantity_multiplier between -(select build.largest_quantity from build_settings as build) and (select build.largest_quantity from build_settings as build) then quantity_multiplier end as quantity_multiplier,
        variants_count as variant_count,

        -- amounts
        case when unit_price between -(select build.largest_amount from build_settings as build) and (select build.largest_amount from build_settings as build) then unit_price end as unit_price,
        case when msrp between -(select build.largest_amount from build_settings as build) and (select build.largest_amount from build_settings as build) then msrp end as msrp,
        case when map between -(select build.largest_amount from build_settings as build) and (select build.largest_amount from build_settings as build) then map end as minimum_advertised_price,

        -- deletion
        _deleted_at is not null as is_deleted,
        _deleted_at as deleted_at,

        -- what is not believed
        nullif(concat_ws(
        ', ',
        case when not unit_price between -(select build.largest_amount from build_settings as build) and (select build.largest_amount from build_settings as build) then 'unit_price' end,
        case when not msrp between -(select build.largest_amount from build_settings as build) and (select build.largest_amount from build_settings as build) then 'msrp' end,
        case when not map between -(select build.largest_amount from build_settings as build) and (select build.largest_amount from build_settings as build) then 'map' end,
        case when not moq between -(select build.largest_quantity from build_settings as build) and (select build.largest_quantity from build_settings as build) then 'moq' end,
        case when not quantity_multiplier between -(select build.largest_quantity from build_settings as build) and (select build.largest_quantity from build_settings as build) then 'quantity_multiplier' end
    ), '') as set_aside

    from source

)

select * from renamed
