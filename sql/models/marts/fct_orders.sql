with

orders as (

    select * from {{ ref('int_orders') }}

),

order_comments as (

    select * from {{ ref('stg_wholesale__order_comments') }}

),

lines_by_order as (

    select
        order_lines.order_id,
        count(*) as line_count,
        cast(
            case when count(order_lines.quantity) = count(*) then sum(order_lines.quantity) end
            as bigint
        ) as unit_count,
        cast(sum(order_lines.quantity) as bigint) as known_unit_count,
        count(*) - count(order_lines.quantity) as lines_without_quantity_count,
        count(*) - count(order_lines.total_price) as lines_without_amount_count,
        sum(order_lines.total_price) as lines_total_price,
        sum(order_lines.discount_amount) as lines_discount_amount
    from {{ ref('stg_wholesale__order_line_items') }} as order_lines
    group by order_lines.order_id

),

comments_by_order as (

    select
        order_comments.order_id,
        count(*) as comment_count
    from order_comments
    group by order_comments.order_id

),

final as (

    select
        orders.order_id,
        orders.order_number,
        orders.vendor_id,
        orders.buyer_id,
        orders.buyer_user_id,
        vendor_names.display_name as vendor_name,
        buyer_names.display_name as buyer_company_name,
        orders.vendor_key,
        orders.buyer_key,
        orders.po_number,
        orders.order_status,
        orders.payment_status,
        orders.invoice_status,
        orders.payment_method_type,
        orders.shipping_city,
        {{ place_name('shipping_places.state', 'orders.shipping_state') }} as shipping_state,
        {{ place_name('shipping_places.country', 'orders.shipping_country') }} as shipping_country,
        orders.shipping_zip,
        orders.billing_city,
        {{ place_name('billing_places.state', 'orders.billing_state') }} as billing_state,
        {{ place_name('billing_places.country', 'orders.billing_country') }} as billing_country,
        orders.currency,
        orders.sub_total,
        orders.total,
        orders.total - orders.sub_total as residual_amount,
        {{ after_discount('orders.sub_total', 'orders.line_discount_amount') }} as net_sub_total,
        {{ before_discount('orders.sub_total', 'orders.line_discount_amount') }}
            as sub_total_before_discounts,
        orders.line_discount_amount,
        orders.transaction_fee,
        orders.vendor_minimum_order_value,
        coalesce(lines_by_order.line_count, 0) as line_count,
        case
            when lines_by_order.order_id is null then cast(0 as bigint)
            else lines_by_order.unit_count
        end as unit_count,
        case
            when lines_by_order.order_id is null then cast(0 as bigint)
            else lines_by_order.known_unit_count
        end as known_unit_count,
        coalesce(lines_by_order.lines_without_quantity_count, 0) as lines_without_quantity_count,
        coalesce(lines_by_order.lines_without_amount_count, 0) as lines_without_amount_count,
        lines_by_order.lines_total_price,
        lines_by_order.lines_discount_amount,
        coalesce(comments_by_order.comment_count, 0) as comment_count,
        orders.is_cancelled,
        orders.is_deleted,
        orders.is_sale,
        coalesce(orders.is_return, false) as is_return,
        orders.is_refunded,
        orders.order_standing,
        orders.payment_standing,
        case
            when
                {{ business_date('orders.plausible_ordered_at') }}
                <= first_sales.first_ordered_date
                then 'new'
            when first_sales.first_ordered_date is not null then 'returning'
        end as buyer_kind,
        {%- for standing in ['accepted', 'sent', 'settled'] %}
        cast({{ days_between(
            business_date('orders.plausible_ordered_at'), 'moves.' ~ standing ~ '_date'
        ) }} as bigint) as days_to_{{ standing }},
        {%- endfor %}
        {{ business_date('orders.plausible_ordered_at') }} as ordered_date,
        orders.plausible_ordered_at as ordered_at,
        {{ business_date('orders.plausible_invoiced_at') }} as invoiced_date,
        orders.plausible_updated_at as updated_at,
        orders.deleted_at,
        orders.all_set_aside as set_aside
    from orders
    left join {{ ref('dim_names') }} as vendor_names
        on vendor_names.name_kind = 'vendor' and orders.vendor_key = vendor_names.name_key
    left join {{ ref('dim_names') }} as buyer_names
        on buyer_names.name_kind = 'buyer' and orders.buyer_key = buyer_names.name_key
    left join {{ ref('int_places') }} as shipping_places
        on {{ is_place('shipping_places', 'orders.shipping_country', 'orders.shipping_state') }}
    left join {{ ref('int_places') }} as billing_places
        on {{ is_place('billing_places', 'orders.billing_country', 'orders.billing_state') }}
    left join lines_by_order on orders.order_id = lines_by_order.order_id
    left join comments_by_order on orders.order_id = comments_by_order.order_id
    left join {{ ref('int_first_sales') }} as first_sales on orders.buyer_id = first_sales.buyer_id
    left join {{ ref('int_order_moves') }} as moves on orders.order_id = moves.order_id

)

select * from final
