-- staging/stg_wholesale__vendors (view)
with

source as (

    select
        case
        when length(`id`) = 36 and `id` = lower(`id`) then `id`
        when `id` rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(`id`, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else `id`
    end as `id`,
        `name`,
        `minimum_order_value`,
        `minimum_order_quantity`,
        `address1`,
        `address2`,
        `city`,
        `state`,
        `country`,
        `zip`,
        `website`,
        `email`,
        `phone`,
        `ein`,
        `order_contact_name`,
        `order_contact_phone`,
        `payment_contact_name`,
        `payment_contact_phone`,
        `shipping_type`,
        `shipping_scheme`,
        `status`,
        `order_processing_time`,
        `order_processing_on`,
        `order_shipping_days`,
        `order_processing_cut_off_time`,
        `order_terms`,
        `description`,
        `logo`,
        `created_at`,
        `updated_at`,
        `_extra`,
        `_deleted_at`
    from declared_vendors

),

renamed as (

    select
        -- keys
        id as vendor_id,

        -- text
        name as vendor_name,
        lower(trim(both '\u0009\u000a\u000b\u000c\u000d\u001c\u001d\u001e\u001f\u0020\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000' from status)) as vendor_status,
        shipping_type,
        order_terms,
        order_processing_time,
        order_processing_on,
        order_processing_cut_off_time,
        address1,
        address2,
        city,
        state,
        country,
        zip,
        website,
        email,
        phone,
        ein,
        order_contact_name,
        order_contact_phone,
        payment_contact_name,
        payment_contact_phone,
        description,
        logo,

        -- numbers
        case when minimum_order_quantity between -(select build.largest_quantity from build_settings as build) and (select build.largest_quantity from build_settings as build) then minimum_order_quantity end as minimum_order_quantity,

        -- amounts
        case when minimum_order_value between -(select build.largest_amount from build_settings as build) and (select build.largest_amount from build_settings as build) then minimum_order_value end as minimum_order_value,

        -- maps and lists
        shipping_scheme,
        order_shipping_days,

        -- times
        created_at,
        updated_at,

        -- deletion
        _deleted_at is not null as is_deleted,
        _deleted_at as deleted_at,

        -- what is not believed
        nullif(concat_ws(
        ', ',
        case when not minimum_order_value between -(select build.largest_amount from build_settings as build) and (select build.largest_amount from build_settings as build) then 'minimum_order_value' end,
        case when not minimum_order_quantity between -(select build.largest_quantity from build_settings as build) and (select build.largest_quantity from build_settings as build) then 'minimum_order_quantity' end
    ), '') as set_aside

    from source

)

select * from renamed
