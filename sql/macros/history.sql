{# A log of what was observed: a row whenever a record is new, or differs from the last row of its
key. `noted` has what each sync observed; the log appends what was observed since its last row.
`standing` is the present table: what no sync noted, as in warehouses of earlier versions, is dated to
the end of the last sync. What was written under a clock that was ahead is left out. #}

{% macro observed(standing, noted, key, attributes, resource) -%}
{%- set log = portable(this) -%}
with

noted as (

    select
        {{ key }},
        {{ attributes | join(',\n        ') }},
        observed_at
    from {{ noted }}
    where not {{ is_ahead('observed_at') }}
        and observed_at > (
            select coalesce(max(observed_at), cast('0001-01-01' as {{ sql_type('timestamptz') }}))
            from {{ log }}
        )

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

),

known as (

    select
        {{ key }},
        {{ attributes | join(',\n        ') }},
        observed_at,
        observation_number
    from {{ log }}

),

numbered as (

    select
        *,
        row_number() over (partition by {{ key }} order by observation_number desc) as recency
    from known

),

seen as (

    select
        {{ key }},
        {{ attributes | join(',\n        ') }},
        observed_at,
        observation_number as last_number,
        1 as turn
    from numbered
    where recency = 1
    union all
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
        {# The row of the log comes first, so a running maximum is enough. A maximum over the whole
        window would make engines hold all keys at once. -#}
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

{# Whether a moment is so far in the future that it was written under a wrong clock. #}
{% macro is_ahead(moment) -%}
    {{ moment }} > {{ now() }} + interval '5 minutes'
{%- endmacro %}

{# The runs of each resource, numbered from the last one as `recency`; runs under a wrong clock come
after all others. #}
{% macro runs_by_recency(runs) -%}
    select
        *,
        row_number() over (partition by resource order by is_ahead, {{ by_code_points('run_id') }} desc) as recency
    from (
        select
            *,
            {{ is_ahead('started_at') }} as is_ahead
        from {{ runs }}
    ) as judged
{%- endmacro %}

{# The log as periods of validity: each observation is valid until the next one of its key. #}

{% macro validity(log, key, attributes, changing) -%}
with

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
    from {{ log }}
    window versions as (partition by {{ key }} order by observation_number)

)

select * from final
{%- endmacro %}
