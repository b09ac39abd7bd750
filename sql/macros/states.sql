{# What the states of an order mean to us; the API does not say (§3). #}

{% macro is_cancelled(status) -%}
    coalesce({{ status }} in ('{{ var("cancelled_order_statuses") | join("', '") }}'), false)
{%- endmacro %}

{# Counts in every metric of sales: alive and not cancelled. #}
{% macro is_sale(orders) -%}
    not {{ orders }}.is_deleted and not {{ is_cancelled(orders ~ '.order_status') }}
{%- endmacro %}

{% macro is_settled(status) -%}
    coalesce({{ status }} in ('{{ var("settled_payment_statuses") | join("', '") }}'), false)
{%- endmacro %}
