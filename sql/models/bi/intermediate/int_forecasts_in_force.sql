{# Which windows were in force in each week: weeks that are over, from their Monday, and the seven
days after the last day that is known. #}
with

as_of as (

    select * from {{ ref('int_as_of') }}

),

forecasts as (

    select * from {{ ref('int_forecasts') }}

),

weeks as (

    select dates.date_day as week_start
    from {{ ref('dim_dates') }} as dates
    cross join as_of
    where {{ weekday_of('dates.date_day') }} = 1
        and dates.date_day > as_of.figures_from
        and dates.date_day + 6 <= as_of.figures_up_to

),

{# In a week that is over those of the last purchase before it; in the next days those of the last
one, which may have come on a day that is not over. #}
in_force as (

    select
        weeks.week_start,
        false as is_next,
        forecasts.*
    from weeks
    inner join forecasts
        on weeks.week_start > forecasts.ordered_date
        and (
            forecasts.next_ordered_date is null
            or weeks.week_start <= forecasts.next_ordered_date
        )

    union all

    select
        as_of.figures_up_to + 1 as week_start,
        true as is_next,
        forecasts.*
    from as_of
    cross join forecasts
    where forecasts.next_ordered_date is null
        and as_of.figures_up_to is not null

),

final as (

    select
        week_start,
        is_next,
        buyer_id,
        ordered_date,
        month_start,
        age,
        usual_days,
        usual_amount,
        purchase_number >= {{ fewest_shown_purchases() }} and last_day_80 is not null as has_window,
        coalesce(coalesce(last_day_90, last_day_80) < week_start, false) as is_passed,
        coalesce(next_ordered_date < week_start + 7, false) as has_ordered,
        next_amount
    from in_force

)

select * from final
