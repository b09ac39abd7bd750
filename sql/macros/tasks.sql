{# A column of a task of this kind, NULL if it is none of its own. #}
{% macro task_column(kind, own, name, type) -%}
    cast({{ kind ~ '.' ~ name if name in own else 'null' }} as {{ sql_type(type) }}) as {{ name }}
{%- endmacro %}
