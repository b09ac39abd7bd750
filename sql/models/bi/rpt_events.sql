{# What an event has besides its kind, by what it is about; the rest is NULL. #}
{% set of_both = ['event_date', 'observed_at', 'vendor_id', 'vendor_name'] -%}
{% set owned = {
    'order_rows': of_both + [
        'order_id', 'order_number', 'buyer_id', 'buyer_name', 'order_status', 'payment_status',
        'order_status_before', 'order_status_after', 'order_standing_before',
        'order_standing_after', 'payment_status_before', 'payment_status_after',
        'payment_standing_before', 'payment_standing_after', 'changed_line_count',
        'amount_before', 'amount_after', 'amount_effect', 'total_after', 'is_first_order'
    ],
    'price_rows': of_both + [
        'product_id', 'item_title', 'variant_title', 'sku', 'price_list', 'price_before',
        'price_after'
    ],
} -%}
{% set columns = {
    'event_date': 'date', 'observed_at': 'timestamptz', 'order_id': 'text',
    'order_number': 'text', 'buyer_id': 'text', 'buyer_name': 'text', 'vendor_id': 'text',
    'vendor_name': 'text', 'is_first_order': 'boolean', 'order_status': 'text',
    'payment_status': 'text', 'order_status_before': 'text', 'order_status_after': 'text',
    'order_standing_before': 'text', 'order_standing_after': 'text',
    'payment_status_before': 'text', 'payment_status_after': 'text',
    'payment_standing_before': 'text', 'payment_standing_after': 'text',
    'changed_line_count': 'bigint', 'amount_before': 'decimal(38, 9)',
    'amount_after': 'decimal(38, 9)', 'amount_effect': 'decimal(38, 9)',
    'total_after': 'decimal(38, 9)', 'product_id': 'text', 'item_title': 'text',
    'variant_title': 'text', 'sku': 'text', 'price_list': 'text',
    'price_before': 'decimal(38, 9)', 'price_after': 'decimal(38, 9)'
} -%}
with

order_events as (

    select * from {{ ref('int_order_events') }}

),

orders as (

    select * from {{ ref('fct_orders') }}

),

first_orders as (

    select
        order_id,
        row_number() over (
            partition by buyer_key order by ordered_at, {{ by_code_points('order_id') }}
        ) as place
    from orders
    where is_sale
        and is_return is not true
        and buyer_key is not null
        and ordered_date is not null

),

order_rows as (

    select
        order_events.*,
        'order-' || order_events.order_event_id as event_id,
        orders.order_number,
        orders.buyer_key as buyer_id,
        orders.buyer_company_name as buyer_name,
        orders.vendor_key as vendor_id,
        orders.vendor_name,
        orders.order_status,
        orders.payment_status,
        case
            when order_events.event_kind = 'new' and orders.ordered_date is not null
                then orders.ordered_date
            else {{ business_date('order_events.observed_at') }}
        end as event_date,
        order_events.event_kind in ('new', 'found late')
        and first_orders.order_id is not null as is_first_order
    from order_events
    inner join orders on order_events.order_id = orders.order_id
    left join first_orders
        on orders.order_id = first_orders.order_id
        and first_orders.place = 1

),

price_rows as (

    select
        'price-' || changes.price_change_id as event_id,
        'price changed' as event_kind,
        {{ business_date('changes.observed_at') }} as event_date,
        changes.observed_at,
        changes.vendor_id,
        changes.vendor_name,
        coalesce(changes.variant_id, changes.item_id) as product_id,
        changes.item_title,
        changes.variant_title,
        changes.sku,
        changes.price_list,
        changes.price_before,
        changes.price as price_after
    from {{ ref('rpt_price_changes') }} as changes

),

final as (

    {% for rows, own in owned.items() -%}
    select
        {{ rows }}.event_id,
        {%- for name, type in columns.items() %}
        {{ task_column(rows, own, name, type) }},
        {%- endfor %}
        {{ rows }}.event_kind
    from {{ rows }}
    {{ 'union all' if not loop.last }}
    {% endfor %}

)

select * from final
