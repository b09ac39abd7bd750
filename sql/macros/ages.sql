{# The age of an order in all reports on open orders: days since the order, as the API has no due
dates. An order without a date counts as the oldest. #}
{% macro age_bucket(days) -%}
    case
        when {{ days }} <= 30 then '0-30'
        when {{ days }} <= 60 then '31-60'
        when {{ days }} <= 90 then '61-90'
        else 'over 90'
    end
{%- endmacro %}

{# Whether figures reach to the end of the month. #}
{% macro is_month_finished(month_start) -%}
    {{ months_before(month_start, -1) }} - 1 <= (
        select as_of.figures_up_to from {{ ref('int_as_of') }} as as_of
    )
{%- endmacro %}
