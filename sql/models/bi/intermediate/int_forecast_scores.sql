{# The shortest window of each share, in usual gaps, for buyers of an age and windows of a month:
from after the low score to the high one. #}
with

curves as (

    select * from {{ ref('int_forecast_curves') }}
    where order_count_alike >= {{ fewest_orders_alike() }}

),

{# The place that is the shortest changes by chance from month to month, less so the mean. #}
lately as (

    select
        *,
        sum(high_score - low_score) over of_place as width,
        count(*) over of_place as month_count
    from {{ ref('int_forecast_windows') }}
    window of_place as (
        partition by age, claimed_percent, third order by month_start
        rows between {{ months_of_places() - 1 }} preceding and current row
    )

),

ranked as (

    select
        *,
        row_number() over (
            partition by month_start, age, claimed_percent
            order by {{ ratio('width', 'month_count') }}, low_score
        ) as place
    from lately

),

scores as (

    select
        {%- for share in window_shares() %}
        {%- for end in ['low', 'high'] %}
        max(case when claimed_percent = {{ share }} then {{ end }}_score end)
            as {{ end }}_score_{{ share }},
        {%- endfor %}
        {%- endfor %}
        month_start,
        age
    from ranked
    where place = 1
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
        late.month_start,
        late.age,
        {%- for share in window_shares() %}
        scores.low_score_{{ share }},
        scores.high_score_{{ share }},
        {%- endfor %}
        late.late_score,
        amounts.low_amount_score,
        amounts.high_amount_score
    from late
    left join scores on late.month_start = scores.month_start and late.age = scores.age
    left join {{ ref('int_forecast_amounts') }} as amounts
        on late.month_start = amounts.month_start
        and late.age = amounts.age

)

select * from final
