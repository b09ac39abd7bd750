{# A key of several values, none of which has to be free of any character: each goes in with its
length, so that no two lists of values are the same text. NULL and '' are two values. #}
{% macro key_of(values) -%}
    md5(
        {%- for value in values %}
        coalesce(length({{ value }}) || ':' || {{ value }}, 'null') {{- " || ',' ||" if not loop.last }}
        {%- endfor %}
    )
{%- endmacro %}
