{# Schemas: wholesale_staging, wholesale_history, wholesale_marts, wholesale_bi. The SQL of the package
names tables alone, as their names are unique: `wholesale build` says by the search path where they
are. #}

{% macro generate_schema_name(custom_schema_name, node) -%}
    wholesale_{{ custom_schema_name or 'staging' }}
{%- endmacro %}

{# A relation without the name of its database, so that SQL stays valid if the DuckDB file is renamed.
In unit tests it is only a name. #}
{% macro portable(relation) %}
    {% if relation.include is not defined %}
        {{ return(relation) }}
    {% elif var('is_packaged') and not relation.is_cte %}
        {{ return(relation.identifier) }}
    {% endif %}
    {{ return(relation.include(database=false)) }}
{% endmacro %}

{% macro ref() %}
    {{ return(portable(builtins.ref(*varargs, **kwargs))) }}
{% endmacro %}

{# A log, to which each build appends rows. The query reads the log itself, so there has to be one. #}
{% materialization append, default %}
    {%- set columns = model.columns.values() -%}
    {{ run_hooks(pre_hooks, inside_transaction=true) }}
    {% call statement('main') %}
        create table if not exists {{ portable(this) }} (
            {%- for column in columns %}
            {{ column.name }} {{ column.data_type }}{{ ',' if not loop.last }}
            {%- endfor %}
        );
        insert into {{ portable(this) }} ({{ columns | map(attribute='name') | join(', ') }})
        {{ sql }}
    {% endcall %}
    {{ run_hooks(post_hooks, inside_transaction=true) }}
    {{ adapter.commit() }}
    {{ return({'relations': [this.incorporate(type='table')]}) }}
{% endmaterialization %}
