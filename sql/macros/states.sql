{# What orders come to that are open, and those whose payment is in an unknown state. Where no order
is known to be open, but some may be, nothing is known of the amount. #}
{% macro open_sums() -%}
    count(case when is_open then 1 end) as order_count,
    case
        when count(case when is_open then 1 end) > 0 then sum(case when is_open then total end)
        when count(*) = 0 then 0
    end as open_amount,
    count(case when is_open and total is null then 1 end) as open_without_total_count,
    min(case when is_open then ordered_date end) as oldest_ordered_date,
    count(case when not is_open then 1 end) as unknown_order_count,
    {{ known_sum('total', '(case when is_open then 0 else 1 end)') }} as unknown_amount,
    count(case when not is_open and total is null then 1 end) as unknown_without_total_count
{%- endmacro %}
