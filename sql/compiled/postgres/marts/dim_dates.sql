-- marts/dim_dates (table)
--   date_day date
--   month_start date
--   year_number bigint
--   month_number bigint
--   weekday_number bigint
with

orders as (

    select * from fct_orders

),

bounds as (

    select
        cast(min(case when is_sale then ordered_date end) as timestamp) as first_day,
        cast(max(ordered_date) as timestamp) as last_day
    from orders
    where not is_deleted

),

days as (

    select cast(generate_series(first_day, last_day, interval '1 day') as date) as date_day
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
