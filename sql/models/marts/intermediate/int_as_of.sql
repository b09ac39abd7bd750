with

orders as (

    select * from {{ ref('fct_orders') }}
    where not is_deleted

),

activity as (

    select
        {{ business_date('max(updated_at)') }} as last_changed_date,
        max(ordered_date) as last_ordered_date,
        min(case when is_sale then ordered_date end) as figures_from
    from orders

),

{# What was ordered while the orders were read may be missing, so the day on which that began is not
a whole one. #}
readings as (

    select {{ business_date("coalesce(max(started_at), " ~ now() ~ ")") }} as last_read_date
    from {{ ref('stg_wholesale__sync_runs') }}
    where resource = 'orders'
        and not {{ is_ahead('started_at') }}

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
