-- bi/rpt_health_headlines (table)
--   resource_count bigint
--   complete_resource_count bigint
--   still_resource_count bigint
--   check_count bigint
--   reconciled_check_count bigint
--   quarantined_record_count bigint
with

freshness as (

    select * from rpt_freshness

),

reconciliation as (

    select * from rpt_reconciliation

),

sync_runs as (

    select * from rpt_sync_runs

),

quarantine as (

    select * from rpt_quarantine

),

certified as (

    select
        count(*) as resource_count,
        count(case when is_complete then 1 end) as complete_resource_count
    from freshness

),

checked as (

    select
        count(*) as check_count,
        count(case when is_reconciled then 1 end) as reconciled_check_count
    from reconciliation

),

still as (

    select count(*) as still_resource_count
    from sync_runs
    where is_latest
        and not has_drifted

),

quarantined as (

    select cast(coalesce(sum(record_count), 0) as bigint) as quarantined_record_count
    from quarantine

),

final as (

    select
        certified.resource_count,
        certified.complete_resource_count,
        still.still_resource_count,
        checked.check_count,
        checked.reconciled_check_count,
        quarantined.quarantined_record_count
    from certified
    cross join still
    cross join checked
    cross join quarantined

)

select * from final
