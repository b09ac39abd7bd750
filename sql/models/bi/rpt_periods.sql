with

as_of as (

    select * from {{ ref('dim_as_of') }}

),

dates as (

    select * from {{ ref('dim_dates') }}

),

rolling as (

    {% for days in [28, 90] -%}
    select
        {{ loop.index }} as kind_position,
        'last_{{ days }}_days' as period_key,
        'Last {{ days }} days' as period_label,
        'rolling' as period_kind,
        as_of_date - {{ days - 1 }} as first_day,
        as_of_date as last_day,
        as_of_date - {{ days - 1 + 364 }} as year_before_first_day,
        as_of_date - 364 as year_before_last_day
    from as_of
    union all
    {% endfor -%}
    select
        3 as kind_position,
        'last_12_months' as period_key,
        'Last 12 months' as period_label,
        'rolling' as period_kind,
        {{ months_before('as_of_date', 12) }} + 1 as first_day,
        as_of_date as last_day,
        {{ months_before('as_of_date', 24) }} + 1 as year_before_first_day,
        {{ months_before('as_of_date', 12) }} as year_before_last_day
    from as_of
    union all
    select
        4 as kind_position,
        'this_year' as period_key,
        'This year' as period_label,
        'rolling' as period_kind,
        {{ year_of('as_of_date') }} as first_day,
        as_of_date as last_day,
        {{ months_before(year_of('as_of_date'), 12) }} as year_before_first_day,
        {{ months_before('as_of_date', 12) }} as year_before_last_day
    from as_of

),

calendar as (

    select distinct
        6 as kind_position,
        cast(year_number as text) as period_key,
        cast(year_number as text) as period_label,
        'year' as period_kind,
        {{ year_of('month_start') }} as first_day,
        {{ months_before(year_of('month_start'), -12) }} as next_first_day
    from dates
    union all
    select distinct
        7 as kind_position,
        year_number || '-' || lpad(cast(month_number as text), 2, '0') as period_key,
        {{ month_name('month_number') }} || ' ' || year_number as period_label,
        'month' as period_kind,
        month_start as first_day,
        {{ months_before('month_start', -1) }} as next_first_day
    from dates

),

whole as (

    select
        5 as kind_position,
        'all_time' as period_key,
        'All time' as period_label,
        'all' as period_kind,
        min(date_day) as first_day,
        max(date_day) as last_day,
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
    {# What still runs is compared with the same days of a year earlier, not with all of it. #}
    select
        calendar.kind_position,
        calendar.period_key,
        calendar.period_label,
        calendar.period_kind,
        calendar.first_day,
        least(calendar.next_first_day - 1, as_of.as_of_date) as last_day,
        {{ months_before('calendar.first_day', 12) }} as year_before_first_day,
        least(
            {{ months_before('calendar.next_first_day', 12) }} - 1,
            {{ months_before('as_of.as_of_date', 12) }}
        ) as year_before_last_day
    from calendar
    cross join as_of

),

bounds as (

    select min(month_start) as first_month
    from dates

),

final as (

    select
        periods.period_key,
        periods.period_label,
        periods.period_kind,
        row_number() over (
            order by periods.kind_position, periods.first_day desc
        ) as position,
        periods.first_day,
        periods.last_day,
        periods.year_before_first_day,
        periods.year_before_last_day,
        coalesce(periods.year_before_first_day >= bounds.first_month, false)
            as is_year_before_covered
    from periods
    cross join bounds

)

select * from final
