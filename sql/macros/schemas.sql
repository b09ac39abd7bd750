{# Schemas: wholesale_staging, wholesale_history, wholesale_marts, wholesale_bi. #}

{% macro generate_schema_name(custom_schema_name, node) -%}
    {%- set layer = custom_schema_name or 'staging' -%}
    {{- schema_of(layer) ~ (var('audit_suffix') if layer in audited_layers() else '') -}}
{%- endmacro %}

{% macro schema_of(layer) -%}
    {{- var('schema_prefix') ~ '_' ~ layer -}}
{%- endmacro %}

{# The layers that are built beside those in force and put in force when all tests passed, except
`intermediate`, which is removed. #}
{% macro audited_layers() %}
    {{ return(['intermediate', 'marts', 'bi']) }}
{% endmacro %}

{# Spark has no databases but schemas. #}
{% macro database_in_use() %}
    {{ return(none if target.type == 'spark' else target.database) }}
{% endmacro %}

{% macro in_audit(layer, name) %}
    {{ return(api.Relation.create(
        database=database_in_use(),
        schema=schema_of(layer) ~ var('audit_suffix'),
        identifier=name,
        type='table'
    )) }}
{% endmacro %}

{% macro in_force(layer, name) %}
    {{ return(api.Relation.create(
        database=database_in_use(), schema=schema_of(layer), identifier=name, type='table'
    )) }}
{% endmacro %}

{# A relation without the name of its database, so that SQL stays valid if the DuckDB file is renamed.
In unit tests it is only a name. #}
{% macro portable(relation) %}
    {{ return(relation.include(database=false) if relation.include is defined else relation) }}
{% endmacro %}

{# A model that is not built this time is read where it is in force. #}
{% macro ref() %}
    {% set relation = portable(builtins.ref(*varargs, **kwargs)) %}
    {% set suffix = var('audit_suffix') %}
    {% if execute and flags.WHICH == 'build' and suffix
          and (relation.schema or '').endswith(suffix)
          and 'model.wholesale.' ~ varargs[-1] not in selected_resources %}
        {% set schema = relation.schema[:-(suffix | length)] %}
        {{ return(relation.incorporate(path={'schema': schema})) }}
    {% endif %}
    {{ return(relation) }}
{% endmacro %}

{% macro source() %}
    {{ return(portable(builtins.source(*varargs))) }}
{% endmacro %}
