-- intermediate/int_as_of (table)
with

orders as (

    select * from fct_orders
    where not is_deleted

),

activity as (

    select
        cast(max(updated_at) at time zone (select build.time_zone from wholesale_build.settings as build) as date) as last_changed_date,
        max(ordered_date) as last_ordered_date,
        min(case when is_sale then ordered_date end) as figures_from
    from orders

),

readings as (

    select cast(coalesce(max(started_at), (select build.built_at from wholesale_build.settings as build)) at time zone (select build.time_zone from wholesale_build.settings as build) as date) as last_read_date
    from stg_wholesale__sync_runs
    where resource = 'orders'
        and not started_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes'

),

final as (

    select
        activity.last_changed_date,
        activity.last_ordered_date,
        greatest(activity.last_changed_date, activity.last_ordered_date) as as_of_date,
        activity.figures_from,
        case
            when greatest(activity.last_changed_date, activity.last_ordered_date)
                >= readings.last_read_date
                then readings.last_read_date - 1
            else greatest(activity.last_changed_date, activity.last_ordered_date)
        end as figures_up_to
    from activity
    cross join readings

)

select * from final
