{# What was sold in each week, and on each day of those of whom days are told; a week ends as many
whole weeks before the last day that is known. #}
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

    select {{ each_day('first_day', 'last_day') }} as date_day
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

    select distinct
        grains.grain,
        grains.day_count,
        cast(
            floor(
                {{ days_between('days.date_day', 'as_of.figures_up_to') }}
                / (1.0 * grains.day_count)
            ) as bigint
        ) as period_number
    from days
    cross join as_of
    cross join grains
    where grains.grain = 'day'
        or {{ days_between('days.date_day', 'as_of.figures_up_to') }} < 7 * as_of.week_count

),

dated as (

    select
        grains.grain,
        sales.dimension,
        sales.member,
        sales.amount,
        cast(
            floor(
                {{ days_between('sales.ordered_date', 'as_of.figures_up_to') }}
                / (1.0 * grains.day_count)
            ) as bigint
        ) as period_number
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

),

final as (

    select
        spans.grain,
        spans.dimension,
        spans.member,
        periods.period_number,
        as_of.figures_up_to - cast(
            periods.day_count * (periods.period_number + 1) - 1 as integer
        ) as first_day,
        as_of.figures_up_to - cast(
            periods.day_count * periods.period_number as integer
        ) as last_day,
        case
            when by_period.period_number is null then cast(0 as decimal(38, 9))
            else by_period.amount
        end as amount
    from spans
    inner join periods
        on spans.grain = periods.grain
        and spans.first_period >= periods.period_number
    cross join as_of
    left join by_period
        on spans.grain = by_period.grain
        and spans.dimension = by_period.dimension
        and spans.member = by_period.member
        and periods.period_number = by_period.period_number

)

select * from final
