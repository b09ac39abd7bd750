-- marts/dim_as_of (table)
--   last_changed_date date
--   last_ordered_date date
--   as_of_date date
--   figures_from date
--   figures_up_to date
--   synced_at timestamptz
--   quiet_day_count bigint
with

as_of as (

    select * from int_as_of

),

syncs as (

    select max(ended_at) as synced_at
    from stg_wholesale__sync_runs
    where resource = 'orders'
        and not ended_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes'

),

final as (

    select
        as_of.last_changed_date,
        as_of.last_ordered_date,
        as_of.as_of_date,
        as_of.figures_from,
        as_of.figures_up_to,
        syncs.synced_at,
        cast(
            (cast(syncs.synced_at at time zone (select build.time_zone from wholesale_build.settings as build) as date) - as_of.last_ordered_date)
            as bigint
        ) as quiet_day_count
    from as_of
    cross join syncs

)

select * from final
