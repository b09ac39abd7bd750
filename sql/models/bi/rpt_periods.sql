with

as_of as (

    select * from {{ ref('int_as_of') }}

),

dates as (

    select * from {{ ref('dim_dates') }}

),

calendar_periods as (

    select * from {{ ref('int_calendar_periods') }}

),

rolling as (

    {% for days in [28, 90] -%}
    select
        {{ loop.index }} as kind_position,
        'last_{{ days }}_days' as period_key,
        'Last {{ days }} days' as period_label,
        'rolling' as period_kind,
        figures_up_to - {{ days - 1 }} as first_day,
        figures_up_to as last_day,
        figures_up_to as end_day,
        figures_up_to - {{ days - 1 + 364 }} as year_before_first_day,
        figures_up_to - 364 as year_before_last_day
    from as_of
    union all
    {% endfor -%}
    select
        3 as kind_position,
        'last_12_months' as period_key,
        'Last 12 months' as period_label,
        'rolling' as period_kind,
        {{ months_before(month_of('figures_up_to'), 11) }} as first_day,
        figures_up_to as last_day,
        figures_up_to as end_day,
        {{ months_before(month_of('figures_up_to'), 23) }} as year_before_first_day,
        {{ year_before('figures_up_to') }} as year_before_last_day
    from as_of
    union all
    select
        4 as kind_position,
        'this_year' as period_key,
        'This year' as period_label,
        'rolling' as period_kind,
        {{ year_of('figures_up_to') }} as first_day,
        figures_up_to as last_day,
        {{ months_before(year_of('figures_up_to'), -12) }} - 1 as end_day,
        {{ months_before(year_of('figures_up_to'), 12) }} as year_before_first_day,
        {{ year_before('figures_up_to') }} as year_before_last_day
    from as_of

),

whole as (

    select
        5 as kind_position,
        'all_time' as period_key,
        'All time' as period_label,
        'all' as period_kind,
        min(date_day) as first_day,
        max(date_day) as last_day,
        cast(null as date) as end_day,
        cast(null as date) as year_before_first_day,
        cast(null as date) as year_before_last_day
    from dates

),

periods as (

    select * from rolling
    where last_day is not null
    union all
    select * from whole
    union all
    select
        case period_kind when 'year' then 6 else 7 end as kind_position,
        period_key,
        period_label,
        period_kind,
        first_day,
        last_day,
        end_day,
        year_before_first_day,
        year_before_last_day
    from calendar_periods

),

final as (

    select
        periods.period_key,
        periods.period_label,
        periods.period_kind,
        cast(row_number() over (
            order by periods.kind_position asc, periods.first_day desc
        ) as bigint) as position,
        periods.first_day,
        periods.last_day,
        coalesce(periods.last_day = periods.end_day, false) as is_finished,
        cast({{ days_between('periods.first_day', 'periods.end_day') }} + 1 as bigint) as day_count,
        cast({{ days_between('periods.first_day', 'periods.last_day') }} + 1 as bigint)
            as seen_day_count,
        periods.year_before_first_day,
        periods.year_before_last_day,
        coalesce(periods.year_before_first_day >= as_of.figures_from, false)
            as is_year_before_covered
    from periods
    cross join as_of

)

select * from final
