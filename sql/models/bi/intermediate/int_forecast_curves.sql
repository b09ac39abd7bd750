{# By when buyers alike had ordered again, in usual gaps of their own: the Kaplan-Meier estimate,
so that those that had not yet count for as long as they were silent. A month knows only what was
before it. #}
with

awaited as (

    select
        *,
        sum(begun_count - ended_count) over (
            partition by month_start, age order by score
            rows between unbounded preceding and 1 preceding
        ) as awaited_count
    from {{ ref('int_forecast_waits') }}

),

{# Of those that are awaited at a score, so many do not order at it. Where all do, the rest is
none: a logarithm of next to nothing. #}
silent as (

    select
        month_start,
        age,
        score,
        order_count,
        exp(sum({{ log_of_quotient(
            'greatest(awaited_count - order_count, 0.000000001)', 'awaited_count'
        ) }}) over so_far) as silent_share,
        sum(order_count) over (partition by month_start, age) as order_count_alike,
        max(awaited_count) over (partition by month_start, age) as asked_count
    from awaited
    where order_count > 0
    window so_far as (
        partition by month_start, age order by score
        rows between unbounded preceding and current row
    )

),

final as (

    select
        month_start,
        age,
        score,
        {#- Rank: of n that are asked, a share of n + 1. A half is rounded up, whatever floats make
        of it. #}
        cast(floor(
            1000000 * (1 - silent_share) * asked_count / (asked_count + 1) + 0.500001
        ) as bigint) as ordered_millionths,
        cast(order_count_alike as bigint) as order_count_alike
    from silent

)

select * from final
