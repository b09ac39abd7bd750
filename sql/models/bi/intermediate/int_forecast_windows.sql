{# Between which scores each share of buyers alike ordered again. Of all such windows the shortest
would hold by chance of those that are asked, and less often of those to come, so it may begin in a
few places only. #}
with

curves as (

    select * from {{ ref('int_forecast_curves') }}
    where order_count_alike >= {{ fewest_orders_alike() }}

),

begun as (

    select
        month_start,
        age,
        score,
        ordered_millionths
    from curves

    union all

    select distinct
        month_start,
        age,
        cast(0 as decimal(18, 6)) as score,
        cast(0 as bigint) as ordered_millionths
    from curves

),

placed as (

    select
        month_start,
        age,
        {%- for share in window_shares() %}
        first_value(score) over (
            partition by month_start, age order by ordered_millionths
            range between {{ share }}0000 following and unbounded following
        ) as high_score_{{ share }},
        {%- endfor %}
        ordered_millionths,
        score as low_score
    from begun

),

shares as (

    {% for share in window_shares() -%}
    select {{ share }} as claimed_percent
    {{ 'union all' if not loop.last }}
    {% endfor %}

),

by_share as (

    select
        placed.month_start,
        placed.age,
        shares.claimed_percent,
        case shares.claimed_percent
            {%- for share in window_shares() %}
            when {{ share }} then {{ thirds_before('placed.ordered_millionths', share) }}
            {%- endfor %}
        end as third,
        placed.low_score,
        case shares.claimed_percent
            {%- for share in window_shares() %}
            when {{ share }} then placed.high_score_{{ share }}
            {%- endfor %}
        end as high_score
    from placed
    cross join shares

),

final as (

    select
        month_start,
        age,
        claimed_percent,
        third,
        min(low_score) as low_score,
        min(high_score) as high_score
    from by_share
    where high_score is not null
    group by month_start, age, claimed_percent, third

)

select * from final
