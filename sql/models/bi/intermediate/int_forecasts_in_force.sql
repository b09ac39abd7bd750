{# Which windows were in force in each week: weeks that are over, from their Monday, and the seven days
after the last day that is known. #}
with

as_of as (

    select * from {{ ref('int_as_of') }}

),

weeks as (

    select
        dates.date_day as week_start,
        false as is_next
    from {{ ref('dim_dates') }} as dates
    cross join as_of
    where {{ weekday_of('dates.date_day') }} = 1
        and dates.date_day > as_of.figures_from
        and dates.date_day + 6 <= as_of.figures_up_to

    union all

    select
        figures_up_to + 1 as week_start,
        true as is_next
    from as_of
    where figures_up_to is not null

),

{# The windows in force are those of the last purchase before the week. #}
final as (

    select
        weeks.week_start,
        weeks.is_next,
        forecasts.buyer_id,
        forecasts.ordered_date,
        forecasts.month_start,
        forecasts.age,
        forecasts.usual_days,
        forecasts.usual_amount,
        forecasts.purchase_number >= {{ fewest_shown_purchases() }}
            and forecasts.last_day_80 is not null as has_window,
        coalesce(
            coalesce(forecasts.last_day_90, forecasts.last_day_80) < weeks.week_start, false
        ) as is_passed,
        coalesce(forecasts.next_ordered_date < weeks.week_start + 7, false) as has_ordered,
        forecasts.next_amount
    from weeks
    inner join {{ ref('int_forecasts') }} as forecasts
        on weeks.week_start > forecasts.ordered_date
        and (
            forecasts.next_ordered_date is null
            or weeks.week_start <= forecasts.next_ordered_date
        )

)

select * from final
