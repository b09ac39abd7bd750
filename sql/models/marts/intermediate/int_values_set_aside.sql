{%- set tables = {
    'orders': {
        'model': 'fct_orders',
        'key': 'order_id',
        'fields': [
            'sub_total', 'total', 'order_line_items_discount_amount', 'transaction_fee',
            'vendor_minimum_order_value', 'created_at', 'updated_at',
            'invoice_generated_at'
        ]
    },
    'orders__order_line_items': {
        'model': 'fct_order_lines',
        'key': 'order_id',
        'fields': ['unit_price', 'total_price', 'discount_amount', 'quantity']
    },
    'vendors': {
        'model': 'stg_wholesale__vendors',
        'key': 'vendor_id',
        'fields': ['minimum_order_value', 'minimum_order_quantity']
    },
    'items': {
        'model': 'stg_wholesale__items',
        'key': 'item_id',
        'fields': ['unit_price', 'msrp', 'map', 'moq', 'quantity_multiplier']
    },
    'variants': {
        'model': 'stg_wholesale__variants',
        'key': 'variant_id',
        'fields': ['unit_price', 'msrp', 'map', 'moq', 'quantity_multiplier']
    },
    'prices': {
        'model': 'stg_wholesale__prices',
        'key': 'price_id',
        'fields': ['unit_price']
    },
} -%}

with

{% for table, of in tables.items() -%}
{{ table }} as (

    select
        {{ of.key }} as record_id,
        ', ' || set_aside || ',' as field_names
    from {{ ref(of.model) }}
    where set_aside is not null

),

{% endfor -%}
counted as (

    {% for table, of in tables.items() -%}
    {%- set is_last = loop.last -%}
    {%- for field in of.fields -%}
    select
        '{{ table }}' as table_name,
        '{{ field }}' as field_name,
        count(*) as value_count,
        min({{ by_code_points('record_id') }}) as example_id
    from {{ table }}
    where field_names like '%, {{ field }},%'
    {{ 'union all' if not (is_last and loop.last) }}
    {% endfor -%}
    {%- endfor %}

),

final as (

    select * from counted
    where value_count > 0

)

select * from final
