{# What is out of the ordinary: what a period is compared with, and what explains it. #}

{# Lengths of periods in days. #}
{% macro period_days() -%}
    {{- return({'week': 7, 'day': 1}) -}}
{%- endmacro %}

{# Of whom sales are told by day, too: what others sell on a day is too little. #}
{% macro told_by_day() -%}
    'sales', 'vendor', 'account_manager'
{%- endmacro %}

{# The number of the period of a day, counted back from the last day that is known. #}
{% macro period_of(day, as_of) -%}
    cast(
        floor({{ days_between(day, as_of ~ '.figures_up_to') }} / (1.0 * grains.day_count))
        as bigint
    )
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

{# The command that tells why, for a shell: who bought, and what the days before had; of a product,
which no figure tells apart, its sales. #}
{% macro why_command() -%}
    case when dimension = 'product' then 'wholesale sql ' || {{ in_quotes(sales_of_product()) }}
        else
            'wholesale figures sales by '
            || case when dimension = 'buyer' then 'vendor' else 'buyer' end
            || ' --period ' || cast(first_day as {{ sql_type('varchar') }})
            || case when first_day < last_day
                then '..' || cast(last_day as {{ sql_type('varchar') }}) else '' end
            || ' --compare period'
            || case when dimension = 'sales' then ''
                else ' --where ' || {{ in_quotes("dimension || '=' || member") }} end
    end
{%- endmacro %}

{% macro sales_of_product() -%}
    'select buyer_id, order_id, ordered_date, quantity, total_price from order_lines'
    || ' where product_id = ' || {{ as_literal('member') }}
    || ' and is_sale and ordered_date between ' || {{ as_literal('first_day') }}
    || ' and ' || {{ as_literal('last_day') }}
    || ' order by total_price desc'
{%- endmacro %}

{% macro as_literal(value) -%}
    {%- set quote = 'chr(39)' -%}
    {{ quote }} || replace(
        cast({{ value }} as {{ sql_type('varchar') }}), {{ quote }}, {{ quote }} || {{ quote }}
    ) || {{ quote }}
{%- endmacro %}

{# A text in single quotes for a shell; one in it is written between double quotes. #}
{% macro in_quotes(text) -%}
    {%- set quote = 'chr(39)' -%}
    {{ quote }} || replace(
        {{ text }}, {{ quote }}, {{ quote }} || '"' || {{ quote }} || '"' || {{ quote }}
    ) || {{ quote }}
{%- endmacro %}
