{# The shortest window of each share, in usual gaps, for buyers of an age and windows of a month:
from after the low score to the high one. #}
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

{# Of all windows of a share the shortest would hold by chance of those that are asked, and less
often of those to come, so it may begin in a few places only. #}
windows as (

    select
        month_start,
        age,
        {%- for share in window_shares() %}
        case
            when {{ thirds_before('ordered_millionths', share) }}
                > coalesce(lag({{ thirds_before('ordered_millionths', share) }}) over so_far, -1)
                then first_value(score) over of_share_{{ share }}
        end as high_score_{{ share }},
        {%- endfor %}
        score as low_score
    from begun
    window
        {%- for share in window_shares() %}
        of_share_{{ share }} as (
            partition by month_start, age order by ordered_millionths
            range between {{ share }}0000 following and unbounded following
        ),
        {%- endfor %}
        so_far as (partition by month_start, age order by score)

),

ranked as (

    select
        {%- for share in window_shares() %}
        row_number() over (
            partition by month_start, age
            order by high_score_{{ share }} - low_score nulls last, low_score
        ) as place_{{ share }},
        {%- endfor %}
        *
    from windows

),

scores as (

    select
        {%- for share in window_shares() %}
        max(
            case
                when place_{{ share }} = 1 and high_score_{{ share }} is not null then low_score
            end
        ) as low_score_{{ share }},
        max(case when place_{{ share }} = 1 then high_score_{{ share }} end)
            as high_score_{{ share }},
        {%- endfor %}
        month_start,
        age
    from ranked
    group by month_start, age

),

late as (

    select
        month_start,
        age,
        min(
            case
                when ordered_millionths >= 1000000 * {{ setting('late_percentile') }} then score
            end
        ) as late_score
    from curves
    group by month_start, age

),

final as (

    select
        scores.month_start,
        scores.age,
        {%- for share in window_shares() %}
        scores.low_score_{{ share }},
        scores.high_score_{{ share }},
        {%- endfor %}
        late.late_score,
        amounts.low_amount_score,
        amounts.high_amount_score
    from scores
    inner join late on scores.month_start = late.month_start and scores.age = late.age
    left join {{ ref('int_forecast_amounts') }} as amounts
        on scores.month_start = amounts.month_start
        and scores.age = amounts.age

)

select * from final
