{# Write, audit, publish: tables are built and tested in schemas of their own, beside those in force,
and replace them in one transaction if nothing failed. #}

{# A table that is still to be tested: nobody reads it yet, so it need not be replaced atomically. #}
{% materialization audited, default %}
    {{ run_hooks(pre_hooks, inside_transaction=false) }}
    {{ run_hooks(pre_hooks, inside_transaction=true) }}
    {% do drop_relation_if_exists(load_cached_relation(this)) %}
    {% call statement('main') %}
        {{ get_create_table_as_sql(false, this, sql) }}
    {% endcall %}
    {{ run_hooks(post_hooks, inside_transaction=true) }}
    {{ adapter.commit() }}
    {{ run_hooks(post_hooks, inside_transaction=false) }}
    {{ return({'relations': [this.incorporate(type='table')]}) }}
{% endmaterialization %}

{# A table of which only the orders in `int_orders_to_build` are computed; the rest is taken over
from the table in force. Where nothing can be taken over, `int_orders_to_build` holds all orders. #}
{% materialization by_order, default %}
    {%- set layer = config.get('schema') -%}
    {%- set is_patch = is_patching() -%}
    {%- set built = in_audit(layer, this.identifier ~ ('__built' if is_patch else '')) -%}
    {{ run_hooks(pre_hooks, inside_transaction=false) }}
    {{ run_hooks(pre_hooks, inside_transaction=true) }}
    {% do drop_relation_if_exists(load_cached_relation(this)) %}
    {% do drop_relation_if_exists(
        load_cached_relation(in_audit(layer, this.identifier ~ '__built'))
    ) %}
    {% call statement('main') %}
        {{ get_create_table_as_sql(false, built, sql) }}
    {% endcall %}
    {% if is_patch %}
        {% set columns = column_list(built) %}
        {% call statement('taken_over') %}
            create view {{ this.include(database=false) }} as
            select {{ columns }}
            from {{ in_force(layer, this.identifier).include(database=false) }} as in_force
            where {{ not_among(
                'order_id', in_audit('intermediate', 'int_orders_to_build').include(database=false)
            ) }}
            union all
            select {{ columns }} from {{ built.include(database=false) }}
        {% endcall %}
    {% endif %}
    {{ run_hooks(post_hooks, inside_transaction=true) }}
    {{ adapter.commit() }}
    {{ run_hooks(post_hooks, inside_transaction=false) }}
    {{ return({'relations': [this.incorporate(type='view' if is_patch else 'table')]}) }}
{% endmaterialization %}

{# Whether orders in force can be taken over: they exist, made by the same SQL and settings. #}
{% macro is_patching() %}
    {% if not execute or not var('audit_suffix') or should_full_refresh() %}
        {{ return(false) }}
    {% endif %}
    {% for node in graph.nodes.values() if node.config.materialized == 'by_order' %}
        {% if load_relation(in_force(node.config.schema, node.alias)) is none %}
            {{ return(false) }}
        {% endif %}
    {% endfor %}
    {% set settings = in_force('marts', 'dim_settings') %}
    {% if load_relation(settings) is none %}
        {{ return(false) }}
    {% endif %}
    {% set stored = run_query('select build_key from ' ~ settings) %}
    {{ return(stored.columns[0].values() == (build_key(),)) }}
{% endmacro %}

{# A hash of everything that a stored order depends on besides the order itself. #}
{% macro build_key() %}
    {{ return(local_md5(tojson([
        var('sql_version'), var('time_zone'), var('cancelled_order_statuses'),
        var('refunded_payment_statuses'), var('is_discount_in_amounts')
    ]))) }}
{% endmacro %}

{% macro column_list(relation) %}
    {{ return(adapter.get_columns_in_relation(relation) | map(attribute='quoted') | join(', ')) }}
{% endmacro %}

{# Puts what was built in force, in one transaction. #}
{% macro publish(results) %}
    {% set bad = ['error', 'fail', 'skipped'] %}
    {% set failures = results | map(attribute='status') | select('in', bad) | list %}
    {% if not execute or flags.WHICH != 'build' or not var('audit_suffix') or failures %}
        {{ return('') }}
    {% endif %}
    {% set is_patch = is_patching() %}
    {% for layer in audited_layers() if layer != 'intermediate' %}
        {% do adapter.create_schema(in_force(layer, '')) %}
    {% endfor %}
    {% call statement('publish') %}
    {% for result in results
          if result.node.resource_type == 'model'
          and result.node.config.schema in audited_layers()
          and result.node.config.schema != 'intermediate' %}
        {% set layer, name = result.node.config.schema, result.node.alias %}
        {% if is_patch and result.node.config.materialized == 'by_order' %}
            {% set columns = column_list(in_force(layer, name)) %}
            delete from {{ in_force(layer, name) }}
            where order_id in (
                select order_id from {{ in_audit('intermediate', 'int_orders_to_build') }}
            );
            insert into {{ in_force(layer, name) }} ({{ columns }})
            select {{ columns }} from {{ in_audit(layer, name ~ '__built') }};
        {% else %}
            {{ replace_table(in_force(layer, name), in_audit(layer, name)) }}
        {% endif %}
    {% endfor %}
    {% for layer in audited_layers() %}
        drop schema if exists {{ in_audit(layer, '').schema }} cascade;
    {% endfor %}
    {% endcall %}
    {% do adapter.commit() %}
{% endmacro %}

{% macro replace_table(target, source) %}
    {{ adapter.dispatch('replace_table', 'wholesale')(target, source) }}
{% endmacro %}

{% macro default__replace_table(target, source) %}
    create or replace table {{ target }} as select * from {{ source }};
{% endmacro %}

{# Keeps the table, with its grants and the views of others on it, if its columns are the same. #}
{% macro postgres__replace_table(target, source) %}
    {% set existing = load_relation(target) %}
    {% set old = adapter.get_columns_in_relation(existing) if existing is not none else [] %}
    {% set new = adapter.get_columns_in_relation(source) %}
    {% if old | map(attribute='quoted') | list == new | map(attribute='quoted') | list
          and old | map(attribute='data_type') | list == new | map(attribute='data_type') | list %}
        delete from {{ target }};
        insert into {{ target }} select * from {{ source }};
    {% else %}
        drop table if exists {{ target }} cascade;
        create table {{ target }} as select * from {{ source }};
    {% endif %}
{% endmacro %}
