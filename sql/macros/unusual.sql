{# What is out of the ordinary: what a period is compared with, and what explains it. #}

{# Lengths of periods in days. #}
{% macro period_days() -%}
    {{- return({'week': 7, 'day': 1}) -}}
{%- endmacro %}

{# Of whom sales are told by day, too: what others sell on a day is too little. #}
{% macro told_by_day() -%}
    'all', 'vendor', 'account_manager'
{%- endmacro %}

{# An aggregate over the twelve weeks before a period. #}
{% macro of_weeks_before(aggregate) -%}
    case grain
        {%- for grain, length in period_days().items() %}
        when '{{ grain }}' then {{ aggregate }} over (
            partition by grain, dimension, member order by period_number desc
            rows between {{ base_weeks() * 7 // length }} preceding and 1 preceding
        )
        {%- endfor %}
    end
{%- endmacro %}

{# The command that tells why, for a shell: who bought, and what the same days of the week before
had. #}
{% macro why_command() -%}
    'wholesale figures '
    || case when dimension = 'product' then 'product_sales by buyer'
        when dimension = 'buyer' then 'sales by vendor'
        else 'sales by buyer' end
    || ' --period ' || cast(first_day as {{ sql_type('varchar') }})
    || case when first_day < last_day
        then '..' || cast(last_day as {{ sql_type('varchar') }}) else '' end
    || ' --compare week'
    || case when dimension = 'all' then ''
        else ' --where ' || {{ in_quotes("dimension || '=' || member") }} end
{%- endmacro %}

{# A text in single quotes; one in it is written between double quotes. #}
{% macro in_quotes(text) -%}
    {%- set quote = 'chr(39)' -%}
    {{ quote }} || replace(
        {{ text }}, {{ quote }}, {{ quote }} || '"' || {{ quote }} || '"' || {{ quote }}
    ) || {{ quote }}
{%- endmacro %}
