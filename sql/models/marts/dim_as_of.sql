with

as_of as (

    select * from {{ ref('int_as_of') }}

),

syncs as (

    select max(ended_at) as synced_at
    from {{ ref('stg_wholesale__sync_runs') }}
    where resource = 'orders'
        and not {{ is_ahead('ended_at') }}

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
            {{ days_between('as_of.last_ordered_date', business_date('syncs.synced_at')) }}
            as bigint
        ) as quiet_day_count
    from as_of
    cross join syncs

)

select * from final
