{# By when buyers alike had ordered again, in usual gaps of their own: the Kaplan-Meier estimate,
so that those that had not yet count for as long as they were silent. A month knows only what was
before it. #}
with

months as (

    select * from {{ ref('int_forecast_months') }}

),

bases as (

    select * from {{ ref('int_forecast_bases') }}

),

asked as (

    select
        months.month_start,
        bases.age,
        bases.usual_days,
        {{ days_between(
            'bases.ordered_date',
            'least(coalesce(bases.next_ordered_date, months.month_start), months.month_start)'
        ) }} as silent_days,
        coalesce(bases.next_ordered_date < months.month_start, false) as has_ordered
    from months
    inner join bases
        on months.month_start > bases.ordered_date
        and {{ days_between('bases.ordered_date', 'months.month_start') }} <= months.asked_days

),

scored as (

    select
        month_start,
        age,
        has_ordered,
        cast({{ ratio('silent_days', 'usual_days') }} as decimal(18, 6)) as score
    from asked

),

counted as (

    select
        month_start,
        age,
        score,
        sum(case when has_ordered then 1 else 0 end) as order_count,
        count(*) as row_count
    from scored
    group by month_start, age, score

),

awaited as (

    select
        *,
        sum(row_count) over (
            partition by month_start, age order by score desc
            rows between unbounded preceding and current row
        ) as awaited_count
    from counted

),

{# Of those that are awaited at a score, so many do not order at it. Where all do, the rest is
none: a logarithm of next to nothing. #}
silent as (

    select
        month_start,
        age,
        score,
        order_count,
        exp(sum(ln(
            cast(greatest(awaited_count - order_count, 0.000000001) as decimal(18, 9))
            / cast(awaited_count as decimal(18, 9))
        )) over so_far) as silent_share,
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
