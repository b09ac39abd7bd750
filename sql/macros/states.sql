{# What the states of an order mean to us; the API does not say (§3). #}

{% macro is_cancelled(status) -%}
    {{ is_one_of(status, var('cancelled_order_statuses')) }}
{%- endmacro %}

{# Counts in every metric of sales: alive and not cancelled. #}
{% macro is_sale(orders) -%}
    not {{ orders }}.is_deleted and not {{ is_cancelled(orders ~ '.order_status') }}
{%- endmacro %}

{# Whether there is money to chase: a state that nobody knows is neither open nor settled. #}
{% macro payment_standing(status) -%}
    case
        when {{ is_one_of(status, var('settled_payment_statuses')) }} then 'settled'
        when {{ is_one_of(status, var('known_payment_statuses')) }} then 'open'
        else 'unknown'
    end
{%- endmacro %}

{% macro is_one_of(status, states) -%}
    {%- if states -%}
    coalesce({{ status }} in ({{ texts(states) }}), false)
    {%- else -%}
    false
    {%- endif -%}
{%- endmacro %}
