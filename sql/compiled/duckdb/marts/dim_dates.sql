-- marts/dim_dates (table)
--   date_day date
--   month_start date
--   year_number bigint
--   month_number bigint
--   weekday_number bigint
with

bounds as (

    select
        cast(figures_from as timestamp) as first_day,
        cast(last_ordered_date as timestamp) as last_day
    from int_as_of

),

days as (

    select cast(unnest(generate_series(first_day, last_day, interval '1 day')) as date) as date_day
    from bounds

),

final as (

    select
        date_day,
        cast(date_trunc('month', date_day) as date) as month_start,
        cast(extract(year from date_day) as bigint) as year_number,
        cast(extract(month from date_day) as bigint) as month_number,
        cast(extract(isodow from date_day) as bigint) as weekday_number
    from days

)

select * from final
