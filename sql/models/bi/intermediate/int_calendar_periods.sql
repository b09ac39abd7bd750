with

as_of as (

    select * from {{ ref('int_as_of') }}

),

dates as (

    select * from {{ ref('dim_dates') }}

),

calendar as (

    select distinct
        cast(year_number as {{ sql_type('text') }}) as period_key,
        cast(year_number as {{ sql_type('text') }}) as period_label,
        'year' as period_kind,
        {{ year_of('month_start') }} as first_day,
        {{ months_before(year_of('month_start'), -12) }} as next_first_day
    from dates
    union all
    select distinct
        year_number || '-' || lpad(cast(month_number as {{ sql_type('text') }}), 2, '0')
            as period_key,
        {{ month_name('month_number') }} || ' ' || year_number as period_label,
        'month' as period_kind,
        month_start as first_day,
        {{ months_before('month_start', -1) }} as next_first_day
    from dates

),

{# A month or year that is not over is compared with the same days of the year before. #}
final as (

    select
        calendar.period_key,
        calendar.period_label,
        calendar.period_kind,
        calendar.first_day,
        least(calendar.next_first_day - 1, as_of.figures_up_to) as last_day,
        calendar.next_first_day - 1 as end_day,
        {{ months_before('calendar.first_day', 12) }} as year_before_first_day,
        least(
            {{ months_before('calendar.next_first_day', 12) }} - 1,
            {{ year_before('as_of.figures_up_to') }}
        ) as year_before_last_day
    from calendar
    cross join as_of
    where calendar.first_day <= as_of.figures_up_to

)

select * from final
