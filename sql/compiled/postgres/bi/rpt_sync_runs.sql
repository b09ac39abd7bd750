-- bi/rpt_sync_runs (table)
--   sync_run_id text
--   run_id text
--   resource text
--   started_at timestamptz
--   ended_at timestamptz
--   duration_seconds decimal(38, 6)
--   strategy text
--   page_count bigint
--   request_count bigint
--   byte_count bigint
--   sweep_count bigint
--   ids_seen_count bigint
--   first_total_count bigint
--   last_total_count bigint
--   duplicate_count bigint
--   new_count bigint
--   changed_count bigint
--   deleted_count bigint
--   unreadable_count bigint
--   audited_count bigint
--   silent_count bigint
--   missed_count bigint
--   open_suspect_count bigint
--   verdict text
--   is_complete boolean
--   complete_as_of timestamptz
--   proof text
--   reason text
--   is_latest boolean
--   has_drifted boolean
with

sync_runs as (

    select
        *,
        row_number() over (partition by resource order by is_ahead, run_id collate "C" desc) as recency
    from (
        select
            *,
            started_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes' as is_ahead
        from stg_wholesale__sync_runs
    ) as judged

),

final as (

    select
        sync_run_id,
        run_id,
        resource,
        started_at,
        ended_at,
        cast(extract(epoch from ended_at - started_at) as decimal(38, 6)) as duration_seconds,
        strategy,
        page_count,
        request_count,
        byte_count,
        sweep_count,
        ids_seen_count,
        first_total_count,
        last_total_count,
        duplicate_count,
        new_count,
        changed_count,
        deleted_count,
        unreadable_count,
        audited_count,
        silent_count,
        missed_count,
        open_suspect_count,
        verdict,
        verdict = 'complete' as is_complete,
        complete_as_of,
        proof,
        reason,
        recency = 1 as is_latest,
        (
            first_total_count is distinct from last_total_count
            or coalesce(greatest(duplicate_count, silent_count, missed_count) > 0, false)
        ) as has_drifted
    from sync_runs

)

select * from final
