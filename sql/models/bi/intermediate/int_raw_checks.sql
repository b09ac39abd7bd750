{%- set measures = {
    'orders': [
        'sub_total', 'total', 'line_discount_amount', 'transaction_fee',
        'vendor_minimum_order_value'
    ],
    'order_lines': ['quantity', 'unit_price', 'total_price', 'discount_amount'],
    'order_comments': ['comment_number'],
} -%}

with

raw_orders as (

    select * from {{ ref('int_orders') }}

),

orders as (

    select * from {{ ref('fct_orders') }}

),

raw_order_lines as (

    select * from {{ ref('stg_wholesale__order_line_items') }}

),

order_lines as (

    select * from {{ ref('fct_order_lines') }}

),

raw_order_comments as (

    select * from {{ ref('stg_wholesale__order_comments') }}

),

order_comments as (

    select * from {{ ref('fct_order_comments') }}

),

{% for table, columns in measures.items() -%}
{% for side in ['raw_', ''] -%}
{{ side }}{{ table }}_totals as (

    select
        {% for column in columns -%}
        coalesce(sum({{ column }}), 0) as {{ column }},
        {% endfor -%}
        count(*) as row_count
    from {{ side }}{{ table }}

),

{% endfor -%}
{% endfor -%}
final as (

    {% for table, columns in measures.items() -%}
    {% set is_last = loop.last -%}
    {% for column in columns -%}
    select
        'raw {{ table | replace('order_', '') }} against fct_{{ table }}, {{ column }}'
            as check_name,
        'orders' as resource,
        cast(raw_totals.{{ column }} as decimal(38, 9)) as expected,
        cast(totals.{{ column }} as decimal(38, 9)) as found,
        abs(raw_totals.row_count - totals.row_count) as different_row_count
    from raw_{{ table }}_totals as raw_totals
    cross join {{ table }}_totals as totals
    {{ 'union all' if not (is_last and loop.last) }}
    {% endfor -%}
    {% endfor %}
)

select * from final
