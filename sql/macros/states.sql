{# What the states of an order mean: the API does not say (§3), so settings do. #}

{% macro is_cancelled(status) -%}
    {{ is_one_of(status, var('cancelled_order_statuses')) }}
{%- endmacro %}

{# Whether an order counts as a sale in every metric: neither deleted nor cancelled. #}
{% macro is_sale(orders) -%}
    not {{ orders }}.is_deleted and not {{ is_cancelled(orders ~ '.order_status') }}
{%- endmacro %}

{# Whether money is still due; a payment in an unknown state is neither open nor settled. #}
{% macro payment_standing(status) -%}
    case
        when {{ is_one_of(status, var('settled_payment_statuses')) }} then 'settled'
        when {{ is_one_of(status, var('known_payment_statuses')) }} then 'open'
        else 'unknown'
    end
{%- endmacro %}

{# What orders come to that are open, and those whose payment is in an unknown state. #}
{% macro open_sums() -%}
    count(case when is_open then 1 end) as order_count,
    coalesce(sum(case when is_open then total end), 0) as open_amount,
    count(case when is_open and total is null then 1 end) as open_without_total_count,
    min(case when is_open then ordered_date end) as oldest_ordered_date,
    count(case when not is_open then 1 end) as unknown_order_count,
    coalesce(sum(case when not is_open then total end), 0) as unknown_amount,
    count(case when not is_open and total is null then 1 end) as unknown_without_total_count
{%- endmacro %}

{% macro is_one_of(status, states) -%}
    {%- if states -%}
    coalesce({{ status }} in ({{ texts(states) }}), false)
    {%- else -%}
    false
    {%- endif -%}
{%- endmacro %}
