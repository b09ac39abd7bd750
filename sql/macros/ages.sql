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

{# The month of a day that is over. What is ordered since the last of these is in no month, as a part
of a day would make two numbers of one month; nor is what has no date. #}
{% macro known_month_of(date) -%}
    case
        when {{ date }} <= (select as_of.figures_up_to from {{ ref('int_as_of') }} as as_of)
            then {{ month_of(date) }}
    end
{%- endmacro %}

{# How many days of a month are over. #}
{% macro seen_days_of(month_start) -%}
    cast({{ days_between(
        month_start,
        'least(' ~ months_before(month_start, -1) ~ ' - 1, (select as_of.figures_up_to from '
        ~ ref('int_as_of') ~ ' as as_of))'
    ) }} + 1 as bigint)
{%- endmacro %}

{# Whether figures reach to the end of the month. #}
{% macro is_month_finished(month_start) -%}
    {{ months_before(month_start, -1) }} - 1 <= (
        select as_of.figures_up_to from {{ ref('int_as_of') }} as as_of
    )
{%- endmacro %}
