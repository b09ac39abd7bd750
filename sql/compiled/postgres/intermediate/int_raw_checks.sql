-- intermediate/int_raw_checks (table)
with

raw_orders as (

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

orders as (

    select * from fct_orders

),

raw_order_lines as (

    select
        case
        when length("order_id") = 36 and "order_id" = lower("order_id") then "order_id"
        when "order_id" ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace("order_id", '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else "order_id"
    end as "order_id",
        "line_number",
        case
        when length("item_id") = 36 and "item_id" = lower("item_id") then "item_id"
        when "item_id" ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace("item_id", '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else "item_id"
    end as "item_id",
        "title",
        "variant",
        "sku",
        "quantity",
        "unit_price",
        "total_price",
        "discount_amount",
        "categoy_name",
        "vendor_name",
        "_extra",
        case
        when length("variant_id") = 36 and "variant_id" = lower("variant_id") then "variant_id"
        when "variant_id" ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace("variant_id", '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else "variant_id"
    end as "variant_id"
    from declared_orders__order_line_items

),

order_lines as (

    select * from fct_order_lines

),

raw_order_comments as (

    select
        case
        when length("order_id") = 36 and "order_id" = lower("order_id") then "order_id"
        when "order_id" ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace("order_id", '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else "order_id"
    end as "order_id",
        "comment_number",
        "_extra",
        "author",
        "body",
        "created_at"
    from declared_orders__order_comments

),

order_comments as (

    select
        *,
        cast(null as text) as set_aside
    from fct_order_comments

),

raw_orders_totals as (

    select
        coalesce(
            sum(case when sub_total between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then sub_total end), 0
        ) as sub_total,
        count(sub_total) as sub_total_count,
        coalesce(
            sum(case when total between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then total end), 0
        ) as total,
        count(total) as total_count,
        coalesce(
            sum(case when order_line_items_discount_amount between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then order_line_items_discount_amount end), 0
        ) as line_discount_amount,
        count(order_line_items_discount_amount) as line_discount_amount_count,
        coalesce(
            sum(case when transaction_fee between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then transaction_fee end), 0
        ) as transaction_fee,
        count(transaction_fee) as transaction_fee_count,
        coalesce(
            sum(case when vendor_minimum_order_value between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then vendor_minimum_order_value end), 0
        ) as vendor_minimum_order_value,
        count(vendor_minimum_order_value) as vendor_minimum_order_value_count,
        count(*) as row_count
    from raw_orders

),

orders_totals as (

    select
        coalesce(sum(sub_total), 0) as sub_total,
        count(sub_total) as sub_total_count,
        count(*) filter (
            where ', ' || set_aside || ',' like '%, sub_total,%'
        ) as sub_total_set_aside_count,
        coalesce(sum(total), 0) as total,
        count(total) as total_count,
        count(*) filter (
            where ', ' || set_aside || ',' like '%, total,%'
        ) as total_set_aside_count,
        coalesce(sum(line_discount_amount), 0) as line_discount_amount,
        count(line_discount_amount) as line_discount_amount_count,
        count(*) filter (
            where ', ' || set_aside || ',' like '%, order_line_items_discount_amount,%'
        ) as line_discount_amount_set_aside_count,
        coalesce(sum(transaction_fee), 0) as transaction_fee,
        count(transaction_fee) as transaction_fee_count,
        count(*) filter (
            where ', ' || set_aside || ',' like '%, transaction_fee,%'
        ) as transaction_fee_set_aside_count,
        coalesce(sum(vendor_minimum_order_value), 0) as vendor_minimum_order_value,
        count(vendor_minimum_order_value) as vendor_minimum_order_value_count,
        count(*) filter (
            where ', ' || set_aside || ',' like '%, vendor_minimum_order_value,%'
        ) as vendor_minimum_order_value_set_aside_count,
        count(*) as row_count
    from orders

),

raw_order_lines_totals as (

    select
        coalesce(
            sum(case when quantity between -(select build.largest_quantity from wholesale_build.settings as build) and (select build.largest_quantity from wholesale_build.settings as build) then quantity end), 0
        ) as quantity,
        count(quantity) as quantity_count,
        coalesce(
            sum(case when unit_price between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then unit_price end), 0
        ) as unit_price,
        count(unit_price) as unit_price_count,
        coalesce(
            sum(case when total_price between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then total_price end), 0
        ) as total_price,
        count(total_price) as total_price_count,
        coalesce(
            sum(case when discount_amount between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then discount_amount end), 0
        ) as discount_amount,
        count(discount_amount) as discount_amount_count,
        count(*) as row_count
    from raw_order_lines

),

order_lines_totals as (

    select
        coalesce(sum(quantity), 0) as quantity,
        count(quantity) as quantity_count,
        count(*) filter (
            where ', ' || set_aside || ',' like '%, quantity,%'
        ) as quantity_set_aside_count,
        coalesce(sum(unit_price), 0) as unit_price,
        count(unit_price) as unit_price_count,
        count(*) filter (
            where ', ' || set_aside || ',' like '%, unit_price,%'
        ) as unit_price_set_aside_count,
        coalesce(sum(total_price), 0) as total_price,
        count(total_price) as total_price_count,
        count(*) filter (
            where ', ' || set_aside || ',' like '%, total_price,%'
        ) as total_price_set_aside_count,
        coalesce(sum(discount_amount), 0) as discount_amount,
        count(discount_amount) as discount_amount_count,
        count(*) filter (
            where ', ' || set_aside || ',' like '%, discount_amount,%'
        ) as discount_amount_set_aside_count,
        count(*) as row_count
    from order_lines

),

raw_order_comments_totals as (

    select
        coalesce(
            sum(case when comment_number between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then comment_number end), 0
        ) as comment_number,
        count(comment_number) as comment_number_count,
        count(*) as row_count
    from raw_order_comments

),

order_comments_totals as (

    select
        coalesce(sum(comment_number), 0) as comment_number,
        count(comment_number) as comment_number_count,
        count(*) filter (
            where ', ' || set_aside || ',' like '%, comment_number,%'
        ) as comment_number_set_aside_count,
        count(*) as row_count
    from order_comments

),

final as (

    select
        'raw orders against fct_orders, sub_total'
            as check_name,
        'orders' as resource,
        cast(raw_totals.sub_total as decimal(38, 9)) as expected,
        cast(totals.sub_total as decimal(38, 9)) as found,
        greatest(
            abs(raw_totals.row_count - totals.row_count),
            abs(
                raw_totals.sub_total_count
                - totals.sub_total_count
                - totals.sub_total_set_aside_count
            )
        ) as difference_count,
        totals.sub_total_set_aside_count as set_aside_count
    from raw_orders_totals as raw_totals
    cross join orders_totals as totals
    union all
    select
        'raw orders against fct_orders, total'
            as check_name,
        'orders' as resource,
        cast(raw_totals.total as decimal(38, 9)) as expected,
        cast(totals.total as decimal(38, 9)) as found,
        greatest(
            abs(raw_totals.row_count - totals.row_count),
            abs(
                raw_totals.total_count
                - totals.total_count
                - totals.total_set_aside_count
            )
        ) as difference_count,
        totals.total_set_aside_count as set_aside_count
    from raw_orders_totals as raw_totals
    cross join orders_totals as totals
    union all
    select
        'raw orders against fct_orders, line_discount_amount'
            as check_name,
        'orders' as resource,
        cast(raw_totals.line_discount_amount as decimal(38, 9)) as expected,
        cast(totals.line_discount_amount as decimal(38, 9)) as found,
        greatest(
            abs(raw_totals.row_count - totals.row_count),
            abs(
                raw_totals.line_discount_amount_count
                - totals.line_discount_amount_count
                - totals.line_discount_amount_set_aside_count
            )
        ) as difference_count,
        totals.line_discount_amount_set_aside_count as set_aside_count
    from raw_orders_totals as raw_totals
    cross join orders_totals as totals
    union all
    select
        'raw orders against fct_orders, transaction_fee'
            as check_name,
        'orders' as resource,
        cast(raw_totals.transaction_fee as decimal(38, 9)) as expected,
        cast(totals.transaction_fee as decimal(38, 9)) as found,
        greatest(
            abs(raw_totals.row_count - totals.row_count),
            abs(
                raw_totals.transaction_fee_count
                - totals.transaction_fee_count
                - totals.transaction_fee_set_aside_count
            )
        ) as difference_count,
        totals.transaction_fee_set_aside_count as set_aside_count
    from raw_orders_totals as raw_totals
    cross join orders_totals as totals
    union all
    select
        'raw orders against fct_orders, vendor_minimum_order_value'
            as check_name,
        'orders' as resource,
        cast(raw_totals.vendor_minimum_order_value as decimal(38, 9)) as expected,
        cast(totals.vendor_minimum_order_value as decimal(38, 9)) as found,
        greatest(
            abs(raw_totals.row_count - totals.row_count),
            abs(
                raw_totals.vendor_minimum_order_value_count
                - totals.vendor_minimum_order_value_count
                - totals.vendor_minimum_order_value_set_aside_count
            )
        ) as difference_count,
        totals.vendor_minimum_order_value_set_aside_count as set_aside_count
    from raw_orders_totals as raw_totals
    cross join orders_totals as totals
    union all
    select
        'raw lines against fct_order_lines, quantity'
            as check_name,
        'orders' as resource,
        cast(raw_totals.quantity as decimal(38, 9)) as expected,
        cast(totals.quantity as decimal(38, 9)) as found,
        greatest(
            abs(raw_totals.row_count - totals.row_count),
            abs(
                raw_totals.quantity_count
                - totals.quantity_count
                - totals.quantity_set_aside_count
            )
        ) as difference_count,
        totals.quantity_set_aside_count as set_aside_count
    from raw_order_lines_totals as raw_totals
    cross join order_lines_totals as totals
    union all
    select
        'raw lines against fct_order_lines, unit_price'
            as check_name,
        'orders' as resource,
        cast(raw_totals.unit_price as decimal(38, 9)) as expected,
        cast(totals.unit_price as decimal(38, 9)) as found,
        greatest(
            abs(raw_totals.row_count - totals.row_count),
            abs(
                raw_totals.unit_price_count
                - totals.unit_price_count
                - totals.unit_price_set_aside_count
            )
        ) as difference_count,
        totals.unit_price_set_aside_count as set_aside_count
    from raw_order_lines_totals as raw_totals
    cross join order_lines_totals as totals
    union all
    select
        'raw lines against fct_order_lines, total_price'
            as check_name,
        'orders' as resource,
        cast(raw_totals.total_price as decimal(38, 9)) as expected,
        cast(totals.total_price as decimal(38, 9)) as found,
        greatest(
            abs(raw_totals.row_count - totals.row_count),
            abs(
                raw_totals.total_price_count
                - totals.total_price_count
                - totals.total_price_set_aside_count
            )
        ) as difference_count,
        totals.total_price_set_aside_count as set_aside_count
    from raw_order_lines_totals as raw_totals
    cross join order_lines_totals as totals
    union all
    select
        'raw lines against fct_order_lines, discount_amount'
            as check_name,
        'orders' as resource,
        cast(raw_totals.discount_amount as decimal(38, 9)) as expected,
        cast(totals.discount_amount as decimal(38, 9)) as found,
        greatest(
            abs(raw_totals.row_count - totals.row_count),
            abs(
                raw_totals.discount_amount_count
                - totals.discount_amount_count
                - totals.discount_amount_set_aside_count
            )
        ) as difference_count,
        totals.discount_amount_set_aside_count as set_aside_count
    from raw_order_lines_totals as raw_totals
    cross join order_lines_totals as totals
    union all
    select
        'raw comments against fct_order_comments, comment_number'
            as check_name,
        'orders' as resource,
        cast(raw_totals.comment_number as decimal(38, 9)) as expected,
        cast(totals.comment_number as decimal(38, 9)) as found,
        greatest(
            abs(raw_totals.row_count - totals.row_count),
            abs(
                raw_totals.comment_number_count
                - totals.comment_number_count
                - totals.comment_number_set_aside_count
            )
        ) as difference_count,
        totals.comment_number_set_aside_count as set_aside_count
    from raw_order_comments_totals as raw_totals
    cross join order_comments_totals as totals

)

select * from final
