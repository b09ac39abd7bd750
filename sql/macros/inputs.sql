{# What a build is made from, with a digest of each: all rows of a raw table; the columns of all raw
tables; and, for a model that depends on the clock or on the times and counts of syncs, exactly what
it takes from them. As long as that digest and the model's other parents stay the same, the model
does.

The view `inputs` has the digests of now, so it shows whether anything has changed. The table
`built_from` has those from the start of the last build by dbt. This macro also removes the mark:
until `wholesale build` writes it again at the end, nobody knows what is in force. #}
{% macro note_inputs() %}
    {% if not execute or flags.WHICH != 'build' or not var('audit_suffix') %}
        {{ return('') }}
    {% endif %}
    {% set place = schema_of('build') %}
    {% do adapter.create_schema(in_force('build', '')) %}
    {% call statement('inputs') %}
        drop table if exists {{ place }}.mark;
        drop view if exists {{ place }}.inputs;
        create view {{ place }}.inputs as {{ inputs('current_timestamp') }};
        drop table if exists {{ place }}.built_from;
        create table {{ place }}.built_from as {{ inputs(now()) }};
    {% endcall %}
    {% do adapter.commit() %}
{% endmacro %}

{% macro inputs(clock) %}
    {%- set tables = [] -%}
    {%- for source in (graph.sources.values() if execute else []) -%}
        {%- do tables.append(source.name) -%}
    {%- endfor -%}
    {%- for table in tables if load_relation(source('wholesale_raw', table)) is not none %}
    select
        '{{ table }}' as input,
        count(*) || ' ' || coalesce(sum({{ row_hash('record') }}), 0) as digest
    from {{ source('wholesale_raw', table) }} as record
    union all
    {%- endfor %}
    select
        'columns' as input,
        md5(string_agg(
            concat_ws(' ', table_name, column_name, data_type),
            ', ' order by table_name, column_name
        )) as digest
    from information_schema.columns
    where table_schema = {{ text(var('raw_schema')) }}
        and table_name in ({{ texts(tables) }})
    union all
    select
        'int_orders' as input,
        cast(
            count(case when not ({{ is_plausible_moment('orders.created_at', 'synced_at') }}) then 1 end)
            + count(case when not ({{ is_plausible_moment('orders.updated_at', 'synced_at') }}) then 1 end)
            as varchar
        ) as digest
    from ({{ raw('orders') }}) as orders
    cross join (
        select coalesce(max(ended_at), {{ clock }}) as synced_at
        from ({{ raw('sync_runs') }}) as sync_runs
        where resource = 'orders'
            and not {{ is_ahead('ended_at', clock) }}
    ) as syncs
    {%- for model, table in {
        'obs_orders': 'orders__observations',
        'obs_prices': 'prices__observations',
        'obs_skus': 'variants__observations',
        'obs_variants': 'variants__observations',
        'obs_vendors': 'vendors__observations',
    }.items() %}
    union all
    select
        '{{ model }}' as input,
        cast(count(*) as varchar) as digest
    from ({{ raw(table) }}) as observations
    where {{ is_ahead('observed_at', clock) }}
    {%- endfor %}
    union all
    select
        'int_service_checks' as input,
        string_agg(
            concat_ws(
                ' ',
                resource,
                coalesce(cast(last_total_count as varchar), '-'),
                coalesce(cast(alive as varchar), '-'),
                proof
            ), ', ' order by resource
        ) as digest
    from (
        select
            resource,
            last_total_count,
            alive,
            proof,
            {{ recency_of_run(clock) }} as recency
        from ({{ raw('sync_runs') }}) as sync_runs
    ) as runs
    where recency = 1
{% endmacro %}
