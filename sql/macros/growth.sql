{# What something grew by, over what it grew from. #}
{% macro growth(now, before) -%}
    {{ ratio(now ~ ' - ' ~ before, before) }}
{%- endmacro %}
