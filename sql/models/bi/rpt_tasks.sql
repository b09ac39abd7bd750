{# What a task has besides its order, by kind; the rest is NULL. #}
{% set product = ['product_id', 'item_title', 'variant_title', 'sku'] -%}
{% set kinds = {
    'unknown_states': ['field_name', 'state', 'order_count', 'amount'],
    'due_buyers': [
        'account_manager_id', 'amount', 'order_in_week_share', 'last_day_80', 'basket_amount',
        'median_days_between_orders', 'days_since_last_order', 'last_ordered_date'
    ],
    'unusual_weeks': [
        'amount', 'dimension', 'member', 'member_name', 'low_amount', 'high_amount'
    ],
    'silent_buyers': product + [
        'account_manager_id', 'threshold_days', 'amount', 'basket_amount',
        'median_days_between_orders', 'days_since_last_order', 'last_ordered_date'
    ],
    'waiting_orders': ['threshold_days', 'usual_days', 'amount'],
    'near_misses': product + [
        'amount', 'minimum_order_value', 'value_shortfall', 'minimum_order_quantity',
        'quantity_shortfall', 'carton_quantity', 'carton_amount'
    ],
    'lines_below_list': product + [
        'order_line_id', 'threshold_days', 'amount', 'quantity', 'unit_price', 'list_price'
    ],
} -%}
{% set columns = {
    'order_line_id': 'text', 'account_manager_id': 'text', 'field_name': 'text', 'state': 'text',
    'order_count': 'bigint', 'threshold_days': 'bigint', 'usual_days': 'bigint',
    'amount': 'decimal(38, 9)', 'product_id': 'text', 'item_title': 'text',
    'variant_title': 'text', 'sku': 'text', 'quantity': 'bigint',
    'unit_price': 'decimal(38, 9)', 'list_price': 'decimal(38, 9)',
    'minimum_order_value': 'decimal(38, 9)', 'value_shortfall': 'decimal(38, 9)',
    'minimum_order_quantity': 'bigint', 'quantity_shortfall': 'bigint',
    'carton_quantity': 'bigint', 'carton_amount': 'decimal(38, 9)',
    'basket_amount': 'decimal(38, 9)', 'median_days_between_orders': 'bigint',
    'days_since_last_order': 'bigint', 'last_ordered_date': 'date',
    'order_in_week_share': 'decimal(38, 6)', 'last_day_80': 'date', 'dimension': 'text',
    'member': 'text', 'member_name': 'text', 'low_amount': 'decimal(38, 9)',
    'high_amount': 'decimal(38, 9)'
} -%}
{% set of_orders = [
    'order_id', 'order_number', 'buyer_id', 'buyer_name', 'vendor_id', 'vendor_name',
    'order_status', 'payment_status', 'ordered_date', 'waiting_days'
] -%}
with

orders as (

    select * from {{ ref('int_purchases') }}

),

unknown_states as (

    select
        *,
        'unknown_state' as task_kind,
        unknown_meaning_id as task_key,
        cast(null as {{ sql_type('text') }}) as order_id
    from {{ ref('int_unknown_meanings') }}

),

due_buyers as (

    select
        *,
        'due' as task_kind,
        buyer_id as task_key,
        usual_amount as amount
    from {{ ref('int_due_buyers') }}

),

unusual_weeks as (

    select
        *,
        'unusual' as task_kind,
        unusual_id as task_key,
        cast(null as {{ sql_type('text') }}) as order_id
    from {{ ref('rpt_unusual') }}

),

silent_buyers as (

    select
        *,
        'silent' as task_kind,
        buyer_id as task_key,
        late_after_days as threshold_days,
        monthly_amount as amount
    from {{ ref('int_silent_buyers') }}

),

waiting_orders as (

    select
        *,
        order_id as task_key
    from {{ ref('int_order_tasks') }}

),

near_misses as (

    select
        *,
        'near_misses' as task_kind,
        order_id as task_key
    from {{ ref('int_near_misses') }}

),

lines_below_list as (

    select
        *,
        'below_list' as task_kind,
        order_line_id as task_key,
        {{ setting('recent_days') }} as threshold_days
    from {{ ref('int_lines_below_list') }}

),

tasks as (

    {% for kind, own in kinds.items() -%}
    select
        {{ kind }}.task_kind || '-' || {{ kind }}.task_key as task_id,
        {%- for name in of_orders %}
        orders.{{ name }},
        {%- endfor %}
        {%- for name, type in columns.items() %}
        {{ task_column(kind, own, name, type) }},
        {%- endfor %}
        {{ kind }}.task_kind
    from {{ kind }}
    left join orders on {{ kind }}.order_id = orders.order_id
    {{ 'union all' if not loop.last }}
    {% endfor %}

),

final as (

    select
        task_id,
        {%- for name in of_orders + columns.keys() | list %}
        {{ name }},
        {%- endfor %}
        task_kind,
        row_number() over (
            partition by task_kind
            order by
                case when task_kind in ('unconfirmed', 'old', 'overdue') then waiting_days end
                desc nulls last,
                amount desc nulls last,
                order_count desc nulls last,
                {{ by_code_points('task_id') }} asc
        ) as position
    from tasks

)

select * from final
