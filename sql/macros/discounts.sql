{# An amount after its line discounts. The description does not say whether `sub_total` and
`total_price` are before or after them: the setting `is_discount_in_amounts` does. #}
{% macro after_discount(amount, discount) -%}
    {{ amount }} - case
        when {{ setting('is_discount_in_amounts') }} then 0 else coalesce({{ discount }}, 0)
    end
{%- endmacro %}

{# The same amount before its line discounts. #}
{% macro before_discount(amount, discount) -%}
    {{ amount }} + case
        when {{ setting('is_discount_in_amounts') }} then coalesce({{ discount }}, 0) else 0
    end
{%- endmacro %}
