{# What a task has besides its order, by kind; the rest is NULL. #}
{% set product = ['product_id', 'item_title', 'variant_title', 'sku'] -%}
{% set kinds = {
    'unknown_states': ['field_name', 'state', 'order_count', 'amount'],
    'due_buyers': [
        'account_manager_id', 'amount', 'order_in_week_share', 'last_day_80', 'basket_amount',
        'median_days_between_orders', 'days_since_last_order', 'last_ordered_date'
    ],
    'unusual_sales': [
        'amount', 'grain', 'dimension', 'member', 'member_name', 'first_day', 'last_day',
        'low_amount', 'high_amount', 'why'
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
{# Where the tasks of a kind are, and what else they are called there. #}
{% set no_order = 'cast(null as ' ~ sql_type('text') ~ ') as order_id' -%}
{% set sources = {
    'unknown_states': ('int_unknown_meanings', [
        "'unknown_state' as task_kind", 'unknown_meaning_id as task_key', no_order
    ]),
    'due_buyers': ('int_due_buyers', [
        "'due' as task_kind", 'buyer_id as task_key', 'usual_amount as amount'
    ]),
    'unusual_sales': ('rpt_unusual', [
        "'unusual' as task_kind", 'unusual_id as task_key', no_order
    ]),
    'silent_buyers': ('int_silent_buyers', [
        "'silent' as task_kind", 'buyer_id as task_key', 'late_after_days as threshold_days',
        'monthly_amount as amount'
    ]),
    'waiting_orders': ('int_order_tasks', ['order_id as task_key']),
    'near_misses': ('int_near_misses', ["'near_misses' as task_kind", 'order_id as task_key']),
    'lines_below_list': ('int_lines_below_list', [
        "'below_list' as task_kind", 'order_line_id as task_key',
        setting('recent_days') ~ ' as threshold_days'
    ]),
} -%}
{% set of_orders = [
    'order_id', 'order_number', 'buyer_id', 'buyer_name', 'vendor_id', 'vendor_name',
    'order_status', 'payment_status', 'ordered_date', 'waiting_days'
] -%}
with

orders as (

    select * from {{ ref('int_purchases') }}

),

{% for kind, (model, own) in sources.items() -%}
{{ kind }} as (

    select
        *,
        {{ own | join(',\n        ') }}
    from {{ ref(model) }}

),

{% endfor -%}
tasks as (

    {% for kind, own in kinds.items() -%}
    select
        {{ kind }}.task_kind || '-' || {{ kind }}.task_key as task_id,
        {%- for name in of_orders %}
        orders.{{ name }},
        {%- endfor %}
        {%- for name, type in task_columns().items() %}
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
        {%- for name in of_orders + task_columns().keys() | list %}
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
