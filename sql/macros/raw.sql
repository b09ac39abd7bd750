{# A raw table with the columns and types that models/staging/sources.yml declares.

Ids and references are spelled alike, so that they join. A table that was not synced has no rows; a
field that was never seen, or whose values do not fit its type, is NULL. `assumed` are fields that the
API description does not show, by name, with their type; they are NULL if a service does not send
them so. #}

{% macro raw(table, assumed={}) -%}
    {%- set relation = source('wholesale_raw', table) -%}
    {%- if execute -%}
        {%- set declared = {} -%}
        {%- set described = graph.sources['source.wholesale.wholesale_raw.' ~ table] -%}
        {%- for column in described.columns.values() -%}
            {%- do declared.update({column.name: column.data_type}) -%}
        {%- endfor -%}
        {%- do declared.update(assumed) -%}
        {%- if load_relation(relation) is none -%}
    {{- no_rows(declared) -}}
        {%- else -%}
    {{- as_declared(relation, declared) -}}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{% macro no_rows(declared) -%}
    select
        {%- for name, type in declared.items() %}
        cast(null as {{ sql_type(type) }}) as {{ adapter.quote(name) }}{{ ',' if not loop.last }}
        {%- endfor %}
    where false
{%- endmacro %}

{% macro as_declared(relation, declared) -%}
    {{- adapter.dispatch('as_declared', 'wholesale')(relation, declared) -}}
{%- endmacro %}

{# The SQL is the same whichever columns the table has, so it can be compiled before there is one:
columns that it lacks come from the empty second query. #}
{% macro duckdb__as_declared(relation, declared) -%}
    select
        {%- for name, type in declared.items() %}
        {{ joinable(name, cast_or_null(adapter.quote(name), type)) }} as {{ adapter.quote(name) }}{{ ',' if not loop.last }}
        {%- endfor %}
    from (
        select * from {{ relation }}
        union all by name
        {{ no_rows(declared) }}
    ) as {{ adapter.quote(relation.identifier) }}
{%- endmacro %}

{% macro default__as_declared(relation, declared) -%}
    {%- set found = {} -%}
    {%- for column in adapter.get_columns_in_relation(load_relation(relation)) -%}
        {%- do found.update({column.name: column.data_type | lower}) -%}
    {%- endfor -%}
    select
        {%- for name, type in declared.items() %}
        {% if name in found -%}
            {{ joinable(name, as_type(adapter.quote(name), found[name], type)) }}
        {%- else -%}
            cast(null as {{ sql_type(type) }})
        {%- endif %} as {{ adapter.quote(name) }}{{ ',' if not loop.last }}
        {%- endfor %}
    from {{ relation }}
{%- endmacro %}

{% macro as_type(column, found, type) -%}
    {%- set same = {
        'text': ['text', 'varchar', 'character varying', 'string'],
        'bigint': ['bigint'],
        'boolean': ['boolean'],
        'timestamptz': ['timestamp with time zone', 'timestamp'],
        'json': ['json', 'jsonb', 'string'],
        'decimal(38, 9)': ['decimal(38,9)', 'numeric(38,9)'],
    } -%}
    {%- set is_same = found in same[type] or found.split('(')[0] in same[type] -%}
    {{- column if is_same else cast_or_null(column, type) -}}
{%- endmacro %}

{% macro cast_or_null(expression, type) -%}
    {{- adapter.dispatch('cast_or_null', 'wholesale')(expression, type) -}}
{%- endmacro %}

{% macro duckdb__cast_or_null(expression, type) -%}
    try_cast({{ expression }} as {{ type }})
{%- endmacro %}

{% macro spark__cast_or_null(expression, type) -%}
    try_cast({{ expression }} as {{ sql_type(type) }})
{%- endmacro %}

{# By itself PostgreSQL would accept `NaN` as a number and `now` as a time, and refuse 1.0 as an
integer. #}
{% macro postgres__cast_or_null(expression, type) -%}
    {%- set number = '^ *[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)? *$' -%}
    {%- set date = '^ *[0-9]{4,}-[0-9]{1,2}-[0-9]{1,2}' -%}
    {%- set form = {'bigint': number, 'decimal(38, 9)': number, 'timestamptz': date}.get(type, '') -%}
    {%- if type == 'bigint' -%}
        {%- set expression = 'round(' ~ cast_or_null(expression, 'decimal(38, 9)') ~ ')' -%}
    {%- endif -%}
    {%- set text = 'cast(' ~ expression ~ ' as text)' -%}
    case
        when {{ text }} ~ '{{ form }}' and pg_input_is_valid({{ text }}, '{{ type }}')
            then cast({{ text }} as {{ type }})
    end
{%- endmacro %}
