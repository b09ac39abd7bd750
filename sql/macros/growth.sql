{# Growth against the value before, as a share of that: 0.1 is 10 % more. #}
{% macro growth(now, before) -%}
    {{ ratio(now ~ ' - ' ~ before, before) }}
{%- endmacro %}
