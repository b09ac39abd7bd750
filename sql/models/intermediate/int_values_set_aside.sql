{%- set tables = {
    'orders': {
        'model': 'int_orders',
        'key': 'order_id',
        'column': 'all_set_aside',
        'fields': [
            'sub_total', 'total', 'order_line_items_discount_amount', 'transaction_fee',
            'vendor_minimum_order_value', 'created_at', 'updated_at'
        ]
    },
    'orders__order_line_items': {
        'model': 'stg_wholesale__order_line_items',
        'key': 'order_id',
        'column': 'set_aside',
        'fields': ['unit_price', 'total_price', 'discount_amount', 'quantity']
    },
    'vendors': {
        'model': 'stg_wholesale__vendors',
        'key': 'vendor_id',
        'column': 'set_aside',
        'fields': ['minimum_order_value', 'minimum_order_quantity']
    },
    'items': {
        'model': 'stg_wholesale__items',
        'key': 'item_id',
        'column': 'set_aside',
        'fields': ['unit_price', 'msrp', 'map', 'moq', 'quantity_multiplier']
    },
    'variants': {
        'model': 'stg_wholesale__variants',
        'key': 'variant_id',
        'column': 'set_aside',
        'fields': ['unit_price', 'msrp', 'map', 'moq', 'quantity_multiplier']
    },
    'prices': {
        'model': 'stg_wholesale__prices',
        'key': 'price_id',
        'column': 'set_aside',
        'fields': ['unit_price']
    },
} -%}

with

{% for table, of in tables.items() -%}
{{ table }} as (

    select
        {{ of.key }} as record_id,
        ', ' || {{ of.column }} || ',' as field_names
    from {{ ref(of.model) }}
    where {{ of.column }} is not null

),

{% endfor -%}
final as (

    {% for table, of in tables.items() -%}
    {%- set is_last = loop.last -%}
    {%- for field in of.fields -%}
    select
        '{{ table }}' as table_name,
        '{{ field }}' as field_name,
        count(*) as value_count,
        min(record_id) as example_id
    from {{ table }}
    where field_names like '%, {{ field }},%'
    {{ 'union all' if not (is_last and loop.last) }}
    {% endfor -%}
    {%- endfor %}

)

select * from final
where value_count > 0
