-- staging/stg_wholesale__sync_runs (view)
with

source as (

    select
        "run_id",
        "resource",
        "service",
        "destination",
        "started_at",
        "ended_at",
        "strategy",
        "pages",
        "requests",
        "bytes",
        "sweeps",
        "ids_seen",
        "first_total_count",
        "last_total_count",
        "duplicates",
        "new",
        "changed",
        "deleted",
        "unreadable",
        "audited",
        "silent",
        "missed",
        "verdict",
        "complete_as_of",
        "proof",
        "open_suspects",
        "alive",
        "reason",
        "digest"
    from declared_sync_runs

),

renamed as (

    select
        -- keys
        run_id || '-' || resource as sync_run_id,
        run_id,
        resource,

        -- text
        service,
        strategy,
        verdict,
        proof,
        reason,

        -- numbers
        pages as page_count,
        requests as request_count,
        bytes as byte_count,
        sweeps as sweep_count,
        ids_seen as ids_seen_count,
        first_total_count,
        last_total_count,
        duplicates as duplicate_count,
        new as new_count,
        changed as changed_count,
        deleted as deleted_count,
        unreadable as unreadable_count,
        audited as audited_count,
        silent as silent_count,
        missed as missed_count,
        open_suspects as open_suspect_count,
        alive as alive_count,

        -- times
        complete_as_of,
        started_at,
        ended_at

    from source

)

select * from renamed
