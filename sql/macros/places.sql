{# Where an order goes: country and state (`US-CA`), one of them alone where the other is not given,
or `unknown`. #}
{% macro shipped_to(orders) -%}
    {%- set country = "nullif(" ~ orders ~ ".shipping_country, '')" -%}
    {%- set state = "nullif(" ~ orders ~ ".shipping_state, '')" -%}
    coalesce({{ country }} || '-' || {{ state }}, {{ country }}, {{ state }}, 'unknown')
{%- endmacro %}
