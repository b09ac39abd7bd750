{# Whether the sales of a week were outside the band of the year before it: in shares of the twelve
weeks before each, so that growth alone is not unusual. Only what sold in half of those weeks has a
band. #}
with

weeks as (

    select
        *,
        sum(amount) over (
            partition by dimension, member order by week_number desc
            rows between {{ base_weeks() }} preceding and 1 preceding
        ) as base_amount,
        count(amount) over (
            partition by dimension, member order by week_number desc
            rows between {{ base_weeks() }} preceding and 1 preceding
        ) as base_count
    from {{ ref('int_week_sales') }}

),

shares as (

    select
        *,
        case
            when base_count = {{ base_weeks() }} and {{ is_share('amount', 'base_amount') }}
                then {{ ratio('amount', 'base_amount') }}
        end as week_share
    from weeks

),

bands as (

    select
        *,
        min(week_share) over year_before as low_share,
        max(week_share) over year_before as high_share,
        count(week_share) over year_before as compared_count,
        count(case when amount <> 0 then 1 end) over year_before as sold_count
    from shares
    window year_before as (
        partition by dimension, member order by week_number desc
        rows between {{ compared_weeks() }} preceding and 1 preceding
    )

),

final as (

    select
        dimension,
        member,
        week_number,
        first_day,
        amount,
        {{ share_of('low_share', 'base_amount') }} as low_amount,
        {{ share_of('high_share', 'base_amount') }} as high_amount,
        compared_count,
        week_share < low_share or week_share > high_share as is_unusual
    from bands
    where week_share is not null
        and compared_count >= {{ fewest_compared_weeks() }}
        and 2 * sold_count >= compared_count

)

select * from final
