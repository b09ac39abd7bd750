{# What was sold in each week, and on each day of those of whom days are told; a week ends as many
whole weeks before the last day that is known. Who sold in too few of them to be judged has none. #}
with

as_of as (

    select
        figures_up_to,
        cast(figures_from as timestamp) as first_day,
        cast(figures_up_to as timestamp) as last_day,
        floor({{ days_between('figures_from', 'figures_up_to + 1') }} / 7.0) as week_count
    from {{ ref('int_as_of') }}
    where figures_from <= figures_up_to

),

days as (

    select
        figures_up_to,
        week_count,
        {{ each_day('first_day', 'last_day') }} as date_day
    from as_of

),

grains as (

    {% for grain, length in period_days().items() -%}
    select
        '{{ grain }}' as grain,
        cast({{ length }} as bigint) as day_count
    {{ 'union all' if not loop.last }}
    {% endfor %}

),

{# Numbered backwards: the last week, and the last day, is 0. #}
periods as (

    select
        grains.grain,
        {{ period_of('days.date_day', 'days') }} as period_number,
        min(days.date_day) as first_day,
        max(days.date_day) as last_day
    from days
    cross join grains
    where grains.grain = 'day'
        or {{ days_between('days.date_day', 'days.figures_up_to') }} < 7 * days.week_count
    group by grains.grain, {{ period_of('days.date_day', 'days') }}

),

dated as (

    select
        grains.grain,
        sales.dimension,
        sales.member,
        sales.amount,
        {{ period_of('sales.ordered_date', 'as_of') }} as period_number
    from {{ ref('int_member_sales') }} as sales
    cross join as_of
    inner join grains on grains.grain = 'week' or sales.dimension in ({{ told_by_day() }})
    where sales.ordered_date <= as_of.figures_up_to

),

by_period as (

    select
        grain,
        dimension,
        member,
        period_number,
        {#- What is not known of one order is not known of the period. #}
        case when count(*) = count(amount) then sum(amount) end as amount
    from dated
    group by grain, dimension, member, period_number

),

spans as (

    select
        grain,
        dimension,
        member,
        max(period_number) as first_period
    from by_period
    group by grain, dimension, member
    having 2 * count(case when amount <> 0 then 1 end) >= {{ fewest_compared_weeks() }}

),

told as (

    select
        spans.dimension,
        spans.member,
        periods.*
    from spans
    inner join periods
        on spans.grain = periods.grain
        and spans.first_period >= periods.period_number

),

{# The larger side stands right, as Sail holds the left one in memory. #}
final as (

    select
        told.grain,
        told.dimension,
        told.member,
        told.period_number,
        told.first_day,
        told.last_day,
        case
            when by_period.period_number is null then cast(0 as decimal(38, 9))
            else by_period.amount
        end as amount
    from by_period
    right join told -- noqa: convention.left_join
        on by_period.grain = told.grain
        and by_period.dimension = told.dimension
        and by_period.member = told.member
        and by_period.period_number = told.period_number

)

select * from final
