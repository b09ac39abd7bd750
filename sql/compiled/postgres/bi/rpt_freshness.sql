-- bi/rpt_freshness (table)
--   resource text
--   last_run_at timestamptz
--   verdict text
--   is_complete boolean
--   reason text
--   complete_as_of timestamptz
--   lag_seconds bigint
--   built_at timestamptz
with

sync_runs as (

    select * from stg_wholesale__sync_runs

),

numbered as (

    select
        *,
        row_number() over (partition by resource order by is_ahead, run_id collate "C" desc) as recency
    from (
        select
            *,
            started_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes' as is_ahead
        from sync_runs
    ) as judged

),

completed as (

    select
        resource,
        max(complete_as_of) as complete_as_of
    from sync_runs
    where not complete_as_of > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes'
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
        cast(floor(extract(epoch from (select build.built_at from wholesale_build.settings as build) - completed.complete_as_of)) as bigint) as lag_seconds,
        (select build.built_at from wholesale_build.settings as build) as built_at
    from numbered
    left join completed on numbered.resource = completed.resource
    where numbered.recency = 1

)

select * from final
