{#- By table: the columns of its mart that can be summed up, and the raw field of each. #}
{%- set measures = {
    'orders': {
        'sub_total': 'sub_total',
        'total': 'total',
        'line_discount_amount': 'order_line_items_discount_amount',
        'transaction_fee': 'transaction_fee',
        'vendor_minimum_order_value': 'vendor_minimum_order_value',
    },
    'order_lines': {
        'quantity': 'quantity',
        'unit_price': 'unit_price',
        'total_price': 'total_price',
        'discount_amount': 'discount_amount',
    },
    'order_comments': {'comment_number': 'comment_number'},
} -%}

with

raw_orders as (

    {{ raw('orders') }}

),

orders as (

    select * from {{ ref('fct_orders') }}

),

raw_order_lines as (

    {{ raw('orders__order_line_items') }}

),

order_lines as (

    select * from {{ ref('fct_order_lines') }}

),

raw_order_comments as (

    {{ raw('orders__order_comments') }}

),

order_comments as (

    select
        *,
        cast(null as {{ sql_type('text') }}) as set_aside
    from {{ ref('fct_order_comments') }}

),

{# Values that are not plausible are only counted, as their sum may overflow. #}
{% for table, columns in measures.items() -%}
raw_{{ table }}_totals as (

    select
        {% for column, field in columns.items() -%}
        coalesce(
            sum({{ quantity(field) if column == 'quantity' else amount(field) }}), 0
        ) as {{ column }},
        count({{ field }}) as {{ column }}_count,
        {% endfor -%}
        count(*) as row_count
    from raw_{{ table }}

),

{{ table }}_totals as (

    select
        {% for column, field in columns.items() -%}
        coalesce(sum({{ column }}), 0) as {{ column }},
        count({{ column }}) as {{ column }}_count,
        count(*) filter (
            where ', ' || set_aside || ',' like '%, {{ field }},%'
        ) as {{ column }}_set_aside_count,
        {% endfor -%}
        count(*) as row_count
    from {{ table }}

),

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
        greatest(
            abs(raw_totals.row_count - totals.row_count),
            abs(
                raw_totals.{{ column }}_count
                - totals.{{ column }}_count
                - totals.{{ column }}_set_aside_count
            )
        ) as difference_count,
        totals.{{ column }}_set_aside_count as set_aside_count
    from raw_{{ table }}_totals as raw_totals
    cross join {{ table }}_totals as totals
    {{ 'union all' if not (is_last and loop.last) }}
    {% endfor -%}
    {% endfor %}
)

select * from final
