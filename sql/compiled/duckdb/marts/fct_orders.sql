-- marts/fct_orders (table)
--   order_id text
--   order_number text
--   vendor_id text
--   buyer_id text
--   buyer_user_id text
--   vendor_name text
--   buyer_company_name text
--   vendor_key text
--   buyer_key text
--   po_number text
--   order_status text
--   payment_status text
--   invoice_status text
--   payment_method_type text
--   shipping_city text
--   shipping_state text
--   shipping_country text
--   shipping_zip text
--   billing_state text
--   billing_country text
--   currency text
--   sub_total decimal(38, 9)
--   total decimal(38, 9)
--   residual_amount decimal(38, 9)
--   net_sub_total decimal(38, 9)
--   sub_total_before_discounts decimal(38, 9)
--   line_discount_amount decimal(38, 9)
--   transaction_fee decimal(38, 9)
--   vendor_minimum_order_value decimal(38, 9)
--   line_count bigint
--   unit_count bigint
--   known_unit_count bigint
--   lines_without_quantity_count bigint
--   lines_without_amount_count bigint
--   lines_total_price decimal(38, 9)
--   lines_discount_amount decimal(38, 9)
--   comment_count bigint
--   is_cancelled boolean
--   is_deleted boolean
--   is_sale boolean
--   is_return boolean
--   is_refunded boolean
--   payment_standing text
--   ordered_date date
--   ordered_at timestamptz
--   updated_at timestamptz
--   deleted_at timestamptz
--   set_aside text
with

orders as (

    select * from int_orders

),

order_lines as (

    select * from stg_wholesale__order_line_items

),

order_comments as (

    select * from stg_wholesale__order_comments

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
    from order_lines
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
        orders.vendor_name,
        orders.buyer_company_name,
        coalesce(nullif(orders.vendor_id, ''), 'name:' || nullif(orders.vendor_name, '')) as vendor_key,
        coalesce(nullif(orders.buyer_id, ''), 'name:' || nullif(orders.buyer_company_name, '')) as buyer_key,
        orders.po_number,
        orders.order_status,
        orders.payment_status,
        orders.invoice_status,
        orders.payment_method_type,
        orders.shipping_city,
        orders.shipping_state,
        orders.shipping_country,
        orders.shipping_zip,
        orders.billing_state,
        orders.billing_country,
        orders.currency,
        orders.sub_total,
        orders.total,
        orders.total - orders.sub_total as residual_amount,
        orders.sub_total - case
        when (select build.is_discount_in_amounts from wholesale_build.settings as build) then 0 else coalesce(orders.line_discount_amount, 0)
    end as net_sub_total,
        orders.sub_total + case
        when (select build.is_discount_in_amounts from wholesale_build.settings as build) then coalesce(orders.line_discount_amount, 0) else 0
    end
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
        orders.payment_standing,
        cast(orders.plausible_ordered_at at time zone (select build.time_zone from wholesale_build.settings as build) as date) as ordered_date,
        orders.plausible_ordered_at as ordered_at,
        orders.plausible_updated_at as updated_at,
        orders.deleted_at,
        orders.all_set_aside as set_aside
    from orders
    left join lines_by_order on orders.order_id = lines_by_order.order_id
    left join comments_by_order on orders.order_id = comments_by_order.order_id

)

select * from final
