-- staging/stg_wholesale__vendors (view)
with

source as (

    select
        case
        when length("id") = 36 and "id" = lower("id") then "id"
        when "id" ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace("id", '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else "id"
    end as "id",
        "name",
        "minimum_order_value",
        "minimum_order_quantity",
        "address1",
        "address2",
        "city",
        "state",
        "country",
        "zip",
        "website",
        "email",
        "phone",
        "ein",
        "order_contact_name",
        "order_contact_phone",
        "payment_contact_name",
        "payment_contact_phone",
        "shipping_type",
        "shipping_scheme",
        "status",
        "order_processing_time",
        "order_processing_on",
        "order_shipping_days",
        "order_processing_cut_off_time",
        "order_terms",
        "description",
        "logo",
        "created_at",
        "updated_at",
        "_extra",
        "_deleted_at"
    from declared_vendors

),

renamed as (

    select
        -- keys
        id as vendor_id,

        -- text
        name as vendor_name,
        lower(trim(both chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(28) || chr(29) || chr(30) || chr(31) || chr(32) || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288) from status)) as vendor_status,
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
        case when minimum_order_quantity between -(select build.largest_quantity from wholesale_build.settings as build) and (select build.largest_quantity from wholesale_build.settings as build) then minimum_order_quantity end as minimum_order_quantity,

        -- amounts
        case when minimum_order_value between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then minimum_order_value end as minimum_order_value,

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
        case when not minimum_order_value between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then 'minimum_order_value' end,
        case when not minimum_order_quantity between -(select build.largest_quantity from wholesale_build.settings as build) and (select build.largest_quantity from wholesale_build.settings as build) then 'minimum_order_quantity' end
    ), '') as set_aside

    from source

)

select * from renamed
