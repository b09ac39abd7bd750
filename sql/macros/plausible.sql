{# Which values are plausible. Values beyond the settings `largest_amount` and `largest_quantity`, and
times before `first_plausible_day` or after the sync that brought them, are set aside: they are NULL
in every table built, named in its column `set_aside`, and counted in `rpt_set_aside`; the raw tables
keep them as received. No sum of plausible values overflows. #}

{% macro amount(column) -%}
    case when {{ is_within(column, 'largest_amount') }} then {{ column }} end
{%- endmacro %}

{% macro quantity(column) -%}
    case when {{ is_within(column, 'largest_quantity') }} then {{ column }} end
{%- endmacro %}

{% macro is_within(column, largest) -%}
    {{ column }} between -{{ setting(largest) }} and {{ setting(largest) }}
{%- endmacro %}

{% macro set_aside(amounts=[], quantities=[]) -%}
    nullif(concat_ws(
        ', '
        {%- for column in amounts %},
        case when not {{ is_within(column, 'largest_amount') }} then '{{ column }}' end
        {%- endfor %}
        {%- for column in quantities %},
        case when not {{ is_within(column, 'largest_quantity') }} then '{{ column }}' end
        {%- endfor %}
    ), '')
{%- endmacro %}

{% macro is_plausible_moment(moment, synced_at) -%}
    {{ moment }} >= {{ setting('first_plausible_at') }}
    and {{ moment }} <= {{ synced_at }} + interval '1 day'
{%- endmacro %}
