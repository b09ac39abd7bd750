with

orders as (

    select * from {{ ref('fct_orders') }}
    where not is_deleted

),

syncs as (

    select max(ended_at) as synced_at
    from {{ ref('stg_wholesale__sync_runs') }}
    where resource = 'orders'
        and not {{ is_ahead('ended_at') }}

),

activity as (

    select
        {{ business_date('max(updated_at)') }} as last_changed_date,
        max(ordered_date) as last_ordered_date
    from orders

),

final as (

    select
        activity.last_changed_date,
        activity.last_ordered_date,
        greatest(activity.last_changed_date, activity.last_ordered_date) as as_of_date,
        syncs.synced_at,
        cast(
            {{ business_date('syncs.synced_at') }} - activity.last_ordered_date as bigint
        ) as quiet_day_count
    from activity
    cross join syncs

)

select * from final
