{# What `wholesale build` reads raw tables by: their columns, types, and casts that never fail. #}
{% for source in (graph.sources.values() if execute else []) %}
-- {{ source.name }}
{%- for name, type in declared_columns(source.name).items() %}
{{ name }} | {{ sql_type(type) }} | {{ cast_or_null(adapter.quote(name), type) }}
{%- endfor %}
{% endfor %}
