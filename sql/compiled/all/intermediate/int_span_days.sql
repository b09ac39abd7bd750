-- intermediate/int_span_days (table)
with

period_spans as (

    select * from int_period_spans
    where span_number > 0

),

dates as (

    select * from dim_dates

),

boundaries as (

    select first_day as boundary_day
    from period_spans
    union
    select last_day + 1 as boundary_day
    from period_spans

),

parts as (

    select
        dates.date_day,
        max(boundaries.boundary_day) as part_day
    from dates
    inner join boundaries on dates.date_day >= boundaries.boundary_day
    group by dates.date_day

),

final as (

    select distinct
        period_spans.span_number,
        parts.date_day,
        parts.part_day
    from period_spans
    inner join parts on parts.date_day between period_spans.first_day and period_spans.last_day

)

select * from final
