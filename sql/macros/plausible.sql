{# Which values are plausible. Values beyond the settings `largest_amount` and `largest_quantity`, and
times before `first_plausible_day` or after the sync that brought them, are set aside: they are NULL
in every table built, named in its column `set_aside`, and counted in `rpt_set_aside`; the raw tables
keep them as received. No sum of plausible values overflows. #}

{% macro amount(column) -%}
    case when {{ is_within(column, var('largest_amount')) }} then {{ column }} end
{%- endmacro %}

{% macro quantity(column) -%}
    case when {{ is_within(column, var('largest_quantity')) }} then {{ column }} end
{%- endmacro %}

{% macro is_within(column, largest) -%}
    {{ column }} between -{{ largest }} and {{ largest }}
{%- endmacro %}

{% macro set_aside(amounts=[], quantities=[]) -%}
    nullif(concat_ws(
        ', '
        {%- for column in amounts %},
        case when not {{ is_within(column, var('largest_amount')) }} then '{{ column }}' end
        {%- endfor %}
        {%- for column in quantities %},
        case when not {{ is_within(column, var('largest_quantity')) }} then '{{ column }}' end
        {%- endfor %}
    ), '')
{%- endmacro %}

{% macro is_plausible_moment(moment, synced_at) -%}
    {{ moment }} >= cast({{ text(var('first_plausible_day') ~ ' 00:00:00+00') }} as {{ sql_type('timestamptz') }})
    and {{ moment }} <= {{ synced_at }} + interval '1 day'
{%- endmacro %}
