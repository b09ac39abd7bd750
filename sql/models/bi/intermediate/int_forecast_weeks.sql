{# What was awaited of each buyer in each week, as it was known before the week began: weeks that
are over from their Monday, and the seven days after the last day that is known. #}
with

in_force as (

    select * from {{ ref('int_forecasts_in_force') }}

),

curves as (

    select * from {{ ref('int_forecast_curves') }}
    where order_count_alike >= {{ fewest_orders_alike() }}

),

{# The score of a buyer before the week and at its end, among those at which buyers alike ordered.
#}
points as (

    select
        month_start,
        age,
        score,
        ordered_millionths,
        cast(null as date) as week_start,
        cast(null as {{ sql_type('varchar') }}) as buyer_id,
        cast(null as boolean) as is_end
    from curves

    {% for is_end, days in [('false', '- 1'), ('true', '+ 6')] %}
    union all

    select
        month_start,
        age,
        cast(
            {{ ratio(days_between('ordered_date', 'week_start ' ~ days), 'usual_days') }}
            as decimal(18, 6)
        ) as score,
        cast(null as bigint) as ordered_millionths,
        week_start,
        buyer_id,
        {{ is_end }} as is_end
    from in_force
    where has_window
    {% endfor %}
),

found as (

    select
        *,
        coalesce(max(ordered_millionths) over (
            partition by month_start, age
            order by score, case when buyer_id is null then 0 else 1 end
            rows between unbounded preceding and current row
        ), 0) as ordered,
        max(ordered_millionths) over (partition by month_start, age) as ordered_at_last
    from points

),

ordered as (

    select
        week_start,
        buyer_id,
        max(case when not is_end then ordered end) as ordered_before,
        max(case when is_end then ordered end) as ordered_by_end,
        max(ordered_at_last) as ordered_at_last
    from found
    where buyer_id is not null
    group by week_start, buyer_id

),

{# Where none of them is known to have ordered later, nobody knows what comes. #}
shares as (

    select
        week_start,
        buyer_id,
        {{ ratio('ordered_by_end - ordered_before', '1000000 - ordered_before') }}
            as order_in_week_share,
        {{ ratio('ordered_at_last - ordered_before', '1000000 - ordered_before') }}
            as order_again_share
    from ordered
    where ordered_before < ordered_at_last

),

final as (

    select
        in_force.week_start,
        in_force.is_next,
        in_force.buyer_id,
        in_force.usual_amount,
        in_force.has_window,
        in_force.is_passed,
        shares.order_in_week_share,
        shares.order_again_share,
        coalesce(
            not in_force.is_passed
            and 100 * shares.order_in_week_share >= {{ due_percent() }},
            false
        ) as is_due,
        in_force.has_ordered,
        in_force.next_amount
    from in_force
    left join shares
        on in_force.week_start = shares.week_start
        and in_force.buyer_id = shares.buyer_id

)

select * from final
