{# An amount after its line discounts. The description does not say whether `sub_total` and
`total_price` are before or after them: the setting `is_discount_in_amounts` does. #}
{% macro after_discount(amount, discount) -%}
    {%- if var('is_discount_in_amounts') -%}
    {{ amount }}
    {%- else -%}
    {{ amount }} - coalesce({{ discount }}, 0)
    {%- endif -%}
{%- endmacro %}
