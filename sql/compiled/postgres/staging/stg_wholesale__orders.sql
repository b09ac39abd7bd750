-- staging/stg_wholesale__orders (view)
with

source as (

    select
        case
        when length("id") = 36 and "id" = lower("id") then "id"
        when "id" ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace("id", '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else "id"
    end as "id",
        "order_number",
        "status",
        "sub_total",
        "total",
        case
        when length("vendor_id") = 36 and "vendor_id" = lower("vendor_id") then "vendor_id"
        when "vendor_id" ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace("vendor_id", '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else "vendor_id"
    end as "vendor_id",
        "vendor_name",
        "vendor_minimum_order_value",
        case
        when length("buyer_id") = 36 and "buyer_id" = lower("buyer_id") then "buyer_id"
        when "buyer_id" ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace("buyer_id", '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else "buyer_id"
    end as "buyer_id",
        case
        when length("buyer_user_id") = 36 and "buyer_user_id" = lower("buyer_user_id") then "buyer_user_id"
        when "buyer_user_id" ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace("buyer_user_id", '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else "buyer_user_id"
    end as "buyer_user_id",
        "buyer_company_name",
        "invoice_status",
        "payment_status",
        "transaction_fee",
        "po_number",
        "order_line_items_discount_amount",
        "shipping_name",
        "shipping_email",
        "shipping_company",
        "shipping_phone",
        "shipping_address1",
        "shipping_address2",
        "shipping_city",
        "shipping_state",
        "shipping_country",
        "shipping_zip",
        "billing_name",
        "billing_email",
        "billing_company",
        "billing_phone",
        "billing_address1",
        "billing_address2",
        "billing_city",
        "billing_state",
        "billing_country",
        "billing_zip",
        "billing_payment_method_type",
        "billing_payment_method_instruction_pay_to",
        "billing_payment_method_instruction_send_to_address",
        "billing_payment_method_instruction_memo",
        "billing_payment_method_instruction_other",
        "created_at",
        "updated_at",
        "_extra",
        "_deleted_at",
        "currency"
    from declared_orders

),

renamed as (

    select
        -- keys
        id as order_id,
        vendor_id,
        buyer_id,
        buyer_user_id,

        -- text
        order_number,
        po_number,
        vendor_name,
        buyer_company_name,
        lower(trim(both chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(28) || chr(29) || chr(30) || chr(31) || chr(32) || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288) from status)) as order_status,
        lower(trim(both chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(28) || chr(29) || chr(30) || chr(31) || chr(32) || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288) from payment_status)) as payment_status,
        lower(trim(both chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(28) || chr(29) || chr(30) || chr(31) || chr(32) || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288) from invoice_status)) as invoice_status,
        billing_payment_method_type as payment_method_type,
        shipping_name,
        shipping_email,
        shipping_company,
        shipping_phone,
        shipping_address1,
        shipping_address2,
        shipping_city,
        shipping_state,
        shipping_country,
        shipping_zip,
        billing_name,
        billing_email,
        billing_company,
        billing_phone,
        billing_address1,
        billing_address2,
        billing_city,
        billing_state,
        billing_country,
        billing_zip,
        nullif(upper(trim(both chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(28) || chr(29) || chr(30) || chr(31) || chr(32) || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288) from currency)), '') as currency,

        -- amounts
        case when sub_total between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then sub_total end as sub_total,
        case when total between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then total end as total,
        case when order_line_items_discount_amount between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then order_line_items_discount_amount end as line_discount_amount,
        case when transaction_fee between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then transaction_fee end as transaction_fee,
        case when vendor_minimum_order_value between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then vendor_minimum_order_value end as vendor_minimum_order_value,

        -- times
        created_at as ordered_at,
        updated_at,

        -- deletion
        _deleted_at is not null as is_deleted,
        _deleted_at as deleted_at,

        -- what is not believed
        nullif(concat_ws(
        ', ',
        case when not sub_total between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then 'sub_total' end,
        case when not total between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then 'total' end,
        case when not order_line_items_discount_amount between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then 'order_line_items_discount_amount' end,
        case when not transaction_fee between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then 'transaction_fee' end,
        case when not vendor_minimum_order_value between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then 'vendor_minimum_order_value' end
    ), '') as set_aside

    from source

)

select * from renamed
