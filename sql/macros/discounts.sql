{# What is left of an amount after its line discounts. That `sub_total` and `total_price` are before
these is an assumption, as the description does not say so: setting `is_discount_in_amounts`. #}
{% macro after_discount(amount, discount) -%}
    {%- if var('is_discount_in_amounts') -%}
    {{ amount }}
    {%- else -%}
    {{ amount }} - coalesce({{ discount }}, 0)
    {%- endif -%}
{%- endmacro %}
