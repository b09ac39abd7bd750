{# Whether the sales of a week or day were outside the band of the year before it: in shares of the
twelve weeks before each, so that growth alone is not unusual; days are compared with the same
weekday. Only what sold in half of those periods has a band. #}
with

periods as (

    select
        *,
        case grain when 'day' then period_number % 7 else 0 end as weekday_number,
        {{ of_weeks_before('sum(amount)') }} as base_amount,
        {{ of_weeks_before('count(amount)') }} as base_count
    from {{ ref('int_period_sales') }}

),

shares as (

    select
        *,
        case
            when base_count = {{ base_weeks() }} * case grain when 'day' then 7 else 1 end
                and {{ is_share('amount', 'base_amount') }}
                then {{ ratio('amount', 'base_amount') }}
        end as period_share
    from periods

),

bands as (

    select
        *,
        min(period_share) over year_before as low_share,
        max(period_share) over year_before as high_share,
        count(period_share) over year_before as compared_count,
        count(case when amount <> 0 then 1 end) over year_before as sold_count
    from shares
    window year_before as (
        partition by grain, dimension, member, weekday_number order by period_number desc
        rows between {{ compared_weeks() }} preceding and 1 preceding
    )

),

final as (

    select
        grain,
        dimension,
        member,
        period_number,
        first_day,
        last_day,
        amount,
        {{ share_of('low_share', 'base_amount') }} as low_amount,
        {{ share_of('high_share', 'base_amount') }} as high_amount,
        compared_count,
        period_share < low_share or period_share > high_share as is_unusual
    from bands
    where period_share is not null
        and compared_count >= {{ fewest_compared_weeks() }}
        and 2 * sold_count >= compared_count

)

select * from final
