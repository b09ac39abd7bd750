with

orders as (

    select * from {{ ref('fct_orders') }}

),

bounds as (

    select
        cast(min(case when is_sale then ordered_date end) as timestamp) as first_day,
        cast(max(ordered_date) as timestamp) as last_day
    from orders
    where not is_deleted

),

days as (

    select {{ each_day('first_day', 'last_day') }} as date_day
    from bounds

),

final as (

    select
        date_day,
        {{ month_of('date_day') }} as month_start,
        cast(extract(year from date_day) as bigint) as year_number,
        cast(extract(month from date_day) as bigint) as month_number,
        cast({{ weekday_of('date_day') }} as bigint) as weekday_number
    from days

)

select * from final
