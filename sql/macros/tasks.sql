{# What tasks of some kinds have besides the order that they are about, with its type. #}
{% macro task_columns() -%}
    {{- return({
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
        'order_in_week_share': 'decimal(38, 6)', 'last_day_80': 'date', 'grain': 'text',
        'dimension': 'text', 'member': 'text', 'member_name': 'text', 'first_day': 'date',
        'last_day': 'date', 'low_amount': 'decimal(38, 9)', 'high_amount': 'decimal(38, 9)',
        'why': 'text'
    }) -}}
{%- endmacro %}

{# A column of a task of this kind, NULL if it is none of its own. #}
{% macro task_column(kind, own, name, type) -%}
    cast({{ kind ~ '.' ~ name if name in own else 'null' }} as {{ sql_type(type) }}) as {{ name }}
{%- endmacro %}
