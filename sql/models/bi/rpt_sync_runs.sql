with

sync_runs as (

    {{ runs_by_recency(ref('stg_wholesale__sync_runs')) }}

),

final as (

    select
        sync_run_id,
        run_id,
        resource,
        started_at,
        ended_at,
        cast({{ seconds_between('started_at', 'ended_at') }} as decimal(38, 6)) as duration_seconds,
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
