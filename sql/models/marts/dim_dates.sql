with

bounds as (

    select
        cast(figures_from as timestamp) as first_day,
        cast(last_ordered_date as timestamp) as last_day
    from {{ ref('int_as_of') }}

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
