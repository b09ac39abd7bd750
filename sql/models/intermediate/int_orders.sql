{{ config(materialized='view') }}
{%- set moments = {
    'ordered_at': 'created_at', 'invoiced_at': 'invoice_generated_at', 'updated_at': 'updated_at'
} %}

with

orders as (

    select * from {{ ref('stg_wholesale__orders') }}

),

order_states as (

    select * from {{ states() }}
    where field_name = 'order_status'
        and not is_past

),

payment_states as (

    select * from {{ states() }}
    where field_name = 'payment_status'
        and not is_past

),

syncs as (

    select coalesce(max(ended_at), {{ now() }}) as synced_at
    from {{ ref('stg_wholesale__sync_runs') }}
    where resource = 'orders'
        and not {{ is_ahead('ended_at') }}

),

meant as (

    select
        orders.*,
        case
            when orders.order_status is null then 'unknown'
            else coalesce(order_states.standing, 'unknown')
        end as order_standing,
        case
            when orders.payment_status is null then 'unknown'
            else coalesce(payment_states.standing, 'unknown')
        end as payment_meaning
    from orders
    left join order_states on orders.order_status = order_states.state
    left join payment_states on orders.payment_status = payment_states.state

),

final as (

    select
        orders.order_id,
        orders.vendor_id,
        orders.buyer_id,
        orders.buyer_user_id,
        orders.order_number,
        orders.po_number,
        orders.vendor_name,
        orders.buyer_company_name,
        {{ identity('orders.vendor_id', 'orders.vendor_name') }} as vendor_key,
        {{ identity('orders.buyer_id', 'orders.buyer_company_name') }} as buyer_key,
        orders.order_status,
        orders.payment_status,
        orders.invoice_status,
        orders.payment_method_type,
        orders.shipping_name,
        orders.shipping_email,
        orders.shipping_company,
        orders.shipping_phone,
        orders.shipping_address1,
        orders.shipping_address2,
        orders.shipping_city,
        orders.shipping_state,
        orders.shipping_country,
        orders.shipping_zip,
        orders.billing_name,
        orders.billing_email,
        orders.billing_company,
        orders.billing_phone,
        orders.billing_address1,
        orders.billing_address2,
        orders.billing_city,
        orders.billing_state,
        orders.billing_country,
        orders.billing_zip,
        orders.currency,
        orders.sub_total,
        orders.total,
        orders.line_discount_amount,
        orders.transaction_fee,
        orders.vendor_minimum_order_value,
        orders.ordered_at,
        orders.updated_at,
        orders.is_deleted,
        orders.deleted_at,
        orders.set_aside,
        orders.order_standing,
        orders.order_standing = 'cancelled' as is_cancelled,
        not orders.is_deleted
        and orders.order_standing <> 'cancelled' as is_sale,
        coalesce(orders.sub_total, orders.total) < 0
        and not orders.is_deleted
        and orders.order_standing <> 'cancelled' as is_return,
        orders.payment_meaning = 'refunded' as is_refunded,
        case orders.payment_meaning
            when 'refunded' then 'settled'
            else orders.payment_meaning
        end as payment_standing,
        {%- for name in moments %}
        case
            when {{ is_plausible_moment('orders.' ~ name, 'syncs.synced_at') }}
                then orders.{{ name }}
        end as plausible_{{ name }},
        {%- endfor %}
        nullif(concat_ws(
            ', ',
            orders.set_aside
            {%- for name, field in moments.items() %},
            case
                when not ({{ is_plausible_moment('orders.' ~ name, 'syncs.synced_at') }})
                    then '{{ field }}'
            end
            {%- endfor %}
        ), '') as all_set_aside
    from meant as orders
    cross join syncs

)

select * from final
