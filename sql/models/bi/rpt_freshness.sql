with

sync_runs as (

    select * from {{ ref('stg_wholesale__sync_runs') }}

),

numbered as (

    {{ runs_by_recency('sync_runs') }}

),

completed as (

    select
        resource,
        max(complete_as_of) as complete_as_of
    from sync_runs
    where not {{ is_ahead('complete_as_of') }}
    group by resource

),

final as (

    select
        numbered.resource,
        numbered.started_at as last_run_at,
        numbered.verdict,
        numbered.verdict = 'complete' as is_complete,
        numbered.reason,
        completed.complete_as_of,
        {{ whole_seconds_between('completed.complete_as_of', now()) }} as lag_seconds,
        {{ now() }} as built_at
    from numbered
    left join completed on numbered.resource = completed.resource
    where numbered.recency = 1

)

select * from final
