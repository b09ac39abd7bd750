-- bi/rpt_quarantine (table)
--   quarantine_id text
--   run_id text
--   resource text
--   reason text
--   record_count bigint
--   found_at timestamptz
with

quarantine as (

    select * from stg_wholesale__quarantine

),

final as (

    select
        run_id || '-' || resource || '-' || reason as quarantine_id,
        run_id,
        resource,
        reason,
        count(*) as record_count,
        min(found_at) as found_at
    from quarantine
    group by
        run_id,
        resource,
        reason

)

select * from final
