-- intermediate/int_calendar_periods (table)
with

as_of as (

    select * from int_as_of

),

dates as (

    select * from dim_dates

),

calendar as (

    select distinct
        cast(year_number as text) as period_key,
        cast(year_number as text) as period_label,
        'year' as period_kind,
        cast(date_trunc('year', month_start) as date) as first_day,
        cast(cast(date_trunc('year', month_start) as date) - -12 * interval '1 month' as date) as next_first_day
    from dates
    union all
    select distinct
        year_number || '-' || lpad(cast(month_number as text), 2, '0')
            as period_key,
        case month_number
        when 1 then 'January'
        when 2 then 'February'
        when 3 then 'March'
        when 4 then 'April'
        when 5 then 'May'
        when 6 then 'June'
        when 7 then 'July'
        when 8 then 'August'
        when 9 then 'September'
        when 10 then 'October'
        when 11 then 'November'
        when 12 then 'December'
    end || ' ' || year_number as period_label,
        'month' as period_kind,
        month_start as first_day,
        cast(month_start - -1 * interval '1 month' as date) as next_first_day
    from dates

),

final as (

    select
        calendar.period_key,
        calendar.period_label,
        calendar.period_kind,
        calendar.first_day,
        least(calendar.next_first_day - 1, as_of.figures_up_to) as last_day,
        calendar.next_first_day - 1 as end_day,
        cast(calendar.first_day - 12 * interval '1 month' as date) as year_before_first_day,
        least(
            cast(calendar.next_first_day - 12 * interval '1 month' as date) - 1,
            greatest(cast(as_of.figures_up_to - 12 * interval '1 month' as date), cast((as_of.figures_up_to + 1) - 12 * interval '1 month' as date) - 1)
        ) as year_before_last_day
    from calendar
    cross join as_of
    where calendar.first_day <= as_of.figures_up_to

)

select * from final
