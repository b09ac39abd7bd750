{# A log of what was seen: a row whenever a record first shows itself, or differs from the last row
of its key. `noted` is what each sync saw, which the log takes up where it left off. `standing` is
what stands in the table, among those records that may have changed: what no sync noted, as in
warehouses of before, was there when the last one ended. Only clocks that were right count. #}

{% macro observed(standing, noted, key, attributes, resource, among=none) -%}
{%- set log = portable(this) -%}
with

noted as (

    select
        {{ key }},
        {{ attributes | join(',\n        ') }},
        observed_at
    from {{ noted }}
    where not {{ is_ahead('observed_at') }}
    {% call again(is_incremental()) -%}
    and observed_at > (
        select coalesce(max(observed_at), cast('-infinity' as timestamptz)) from {{ log }}
    )
    {%- endcall %}

),

syncs as (

    select coalesce(max(ended_at), {{ now() }}) as ended_at
    from {{ ref('stg_wholesale__sync_runs') }}
    where resource = '{{ resource }}'
        and not {{ is_ahead('ended_at') }}

),

standing as (

    select
        {{ key }},
        {{ attributes | join(',\n        ') }},
        syncs.ended_at as observed_at
    from {{ standing }}
    cross join syncs
    {%- if among %}
    where {{ key }} in (select {{ key }} from {{ among }})
    {%- endif %}

),

{% call again(is_incremental()) -%}
known as (

    {{ as_joinable(log, [key] + attributes + ['observed_at', 'observation_number']) }}

),

numbered as (

    select
        *,
        row_number() over (partition by {{ key }} order by observation_number desc) as recency
    from known
    where {{ key }} in (select {{ key }} from noted union all select {{ key }} from standing)

),
{%- endcall %}

seen as (

    {% call again(is_incremental()) -%}
    select
        {{ key }},
        {{ attributes | join(',\n        ') }},
        observed_at,
        observation_number as last_number,
        1 as turn
    from numbered
    where recency = 1
    union all
    {%- endcall %}
    select
        *,
        cast(null as bigint) as last_number,
        2 as turn
    from noted
    union all
    select
        *,
        cast(null as bigint) as last_number,
        3 as turn
    from standing

),

compared as (

    select
        *,
        {% for attribute in attributes -%}
        lag({{ attribute }}) over versions as {{ attribute }}_before,
        {% endfor -%}
        lag(observed_at) over versions as observed_before_at,
        row_number() over versions as place,
        {# The one of the log comes first. Over all of a key, engines would hold all keys at once. -#}
        coalesce(max(last_number) over versions, 0) as known_count
    from seen
    window versions as (partition by {{ key }} order by turn, observed_at)

)

select
    {{ key }},
    known_count + row_number() over (partition by {{ key }} order by place) as observation_number,
    {% for attribute in attributes -%}
    {{ attribute }},
    {% endfor -%}
    greatest(observed_at, observed_before_at) as observed_at
from compared
where turn > 1 and (
    place = 1
    {%- for attribute in attributes %}
    or {{ attribute }} is distinct from {{ attribute }}_before
    {%- endfor %}
)
{%- endmacro %}

{# The rows of a log; an earlier version kept GUIDs in it as the service spelled them. #}
{% macro as_joinable(log, columns) -%}
    select
        {%- for name in columns %}
        {{ joinable(name, name) }} as {{ name }}{{ ',' if not loop.last }}
        {%- endfor %}
    from {{ log }}
{%- endmacro %}

{# What is told of a table that an earlier build left. In the SQL of the first build, and in SQL that
is only compiled, it stands in a comment, for those who run the same SQL another time. #}
{% macro again(is_again) -%}
    {%- set is_told = is_again and flags.WHICH != 'compile' -%}
    {{- '' if is_told else '/* again ' -}} {{- caller() -}} {{- '' if is_told else ' again */' -}}
{%- endmacro %}

{# When the build began; marked as such, for those who run the same SQL another time. #}
{% macro now() -%}
    cast('{{ run_started_at }}' /* now */ as {{ sql_type('timestamptz') }})
{%- endmacro %}

{# Whether a moment lies so far ahead that the clock which told it was wrong. #}
{% macro is_ahead(moment, clock=none) -%}
    {{ moment }} > {{ clock or now() }} + interval '5 minutes'
{%- endmacro %}

{# The log as periods of validity: a row from each observation to the next one of its key. #}

{% macro validity(log, key, attributes, changing) -%}
with

observations as (

    {{ as_joinable(log, [key] + attributes + ['observed_at', 'observation_number']) }}

),

final as (

    select
        {{ key }} || '-' || observation_number as {{ key | replace('_id', '') }}_version_id,
        {{ key }},
        observation_number as version_number,
        {% for attribute in attributes -%}
        {{ attribute }},
        {% endfor -%}
        {{ changing }} - lag({{ changing }}) over versions as {{ changing }}_change,
        observed_at as valid_from,
        lead(observed_at) over versions as valid_to,
        lead(observed_at) over versions is null as is_current
    from observations
    window versions as (partition by {{ key }} order by observation_number)

)

select * from final
{%- endmacro %}
