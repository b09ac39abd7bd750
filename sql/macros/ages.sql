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
