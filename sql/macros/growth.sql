{# Growth against the value before, as a share of that: 0.1 is 10 % more. From nothing, or from less,
there is none: its sign would say the opposite. #}
{% macro growth(now, before) -%}
    {{ ratio(now ~ ' - ' ~ before, 'case when ' ~ before ~ ' > 0 then ' ~ before ~ ' end') }}
{%- endmacro %}
