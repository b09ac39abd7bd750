{# Orders without a day come last in their state, so those of the last days come first. #}
with

orders as (

    select
        coalesce(order_status, '') as state,
        order_standing,
        sub_total,
        ordered_date,
        waiting_days,
        coalesce(is_old, false) as is_old,
        coalesce(is_recent, false) as is_recent
    from {{ ref('rpt_fulfilment') }}

),

placed as (

    select
        *,
        row_number() over (
            partition by state order by waiting_days nulls last
        ) as place,
        count(waiting_days) over (partition by state) as dated_count,
        count(case when is_recent then 1 end) over (partition by state) as recent_count
    from orders

),

final as (

    select
        'order_status-' || state as order_state_id,
        nullif(state, '') as order_status,
        order_standing,
        count(*) as order_count,
        sum(sub_total) as amount,
        cast(min(case when 2 * place >= dated_count then waiting_days end) as bigint)
            as median_waiting_days,
        min(ordered_date) as first_ordered_date,
        max(ordered_date) as last_ordered_date,
        count(case when is_old then 1 end) as old_order_count,
        {{ known_sum('sub_total', '(case when is_old then 1 else 0 end)') }} as old_amount,
        max(case when is_old then ordered_date end) as last_old_ordered_date,
        count(case when is_recent then 1 end) as recent_order_count,
        {{ known_sum('sub_total', '(case when is_recent then 1 else 0 end)') }} as recent_amount,
        cast(
            min(case when is_recent and 2 * place >= recent_count then waiting_days end) as bigint
        ) as recent_median_waiting_days,
        min(case when is_recent then ordered_date end) as first_recent_ordered_date
    from placed
    group by
        state,
        order_standing

)

select * from final
