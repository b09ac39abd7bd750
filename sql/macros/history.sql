{# A log of what was seen: a row whenever a record first shows itself, or differs from the last row
of its key. `among` names the records that may have changed. `observed_at` is the end of the sync
that brought it, by a clock that was right; nothing is known of before. #}

{% macro observed(source, key, attributes, resource, among=none) -%}
with

records as (

    select
        {{ key }},
        {{ attributes | join(',\n        ') }}
    from {{ source }}
    {%- if among %}
    where {{ key }} in (select {{ key }} from {{ among }})
    {%- endif %}

),

syncs as (

    select max(ended_at) as ended_at
    from {{ ref('stg_wholesale__sync_runs') }}
    where resource = '{{ resource }}'
        and not {{ is_ahead('ended_at') }}

),

{% if is_incremental() -%}
numbered as (

    select
        *,
        row_number() over (partition by {{ key }} order by observation_number desc) as recency
    from {{ this }}
    where {{ key }} in (select {{ key }} from records)

),

known as (

    select * from numbered where recency = 1

),

changed as (

    select
        records.*,
        coalesce(known.observation_number, 0) + 1 as observation_number
    from records
    left join known on records.{{ key }} = known.{{ key }}
    where known.{{ key }} is null
    {%- for attribute in attributes %}
        or records.{{ attribute }} is distinct from known.{{ attribute }}
    {%- endfor %}

)
{%- else -%}
changed as (

    select
        *,
        cast(1 as bigint) as observation_number
    from records

)
{%- endif %}

select
    changed.{{ key }},
    changed.observation_number,
    {% for attribute in attributes -%}
    changed.{{ attribute }},
    {% endfor -%}
    coalesce(syncs.ended_at, {{ now() }}) as observed_at
from changed
cross join syncs
{%- endmacro %}

{% macro now() -%}
    cast('{{ run_started_at }}' as timestamptz)
{%- endmacro %}

{# Whether a moment lies so far ahead that the clock which told it was wrong. #}

{% macro is_ahead(moment) -%}
    {{ moment }} > {{ now() }} + interval '5 minutes'
{%- endmacro %}

{# The log as periods of validity: a row from each observation to the next one of its key. #}

{% macro validity(log, key, attributes, changing) -%}
with

observations as (

    select * from {{ log }}

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
