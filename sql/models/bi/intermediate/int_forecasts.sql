{# Between which days, and of which amount, the next purchase of a buyer is awaited, as it was set
on the day of each purchase; and whether that was right, once the window is over. #}
with

bases as (

    select * from {{ ref('int_forecast_bases') }}

),

scores as (

    select * from {{ ref('int_forecast_scores') }}

),

as_of as (

    select * from {{ ref('int_as_of') }}

),

windows as (

    select
        bases.*,
        scores.age is not null as has_alike,
        {%- for share in window_shares() %}
        bases.ordered_date + cast(
            floor(scores.low_score_{{ share }} * bases.usual_days) as integer
        ) + 1 as first_day_{{ share }},
        bases.ordered_date + cast(
            floor(scores.high_score_{{ share }} * bases.usual_days) as integer
        ) as last_day_{{ share }},
        {%- endfor %}
        cast(floor(scores.late_score * bases.usual_days) as bigint) as late_after_days,
        {%- for end in ['low', 'high'] %}
        case
            when bases.usual_amount > 0
                then {{ share_of('scores.' ~ end ~ '_amount_score', 'bases.usual_amount') }}
        end as {{ end }}_amount,
        {%- endfor %}
        as_of.figures_up_to
    from bases
    left join scores
        on bases.month_start = scores.month_start
        and bases.age = scores.age
    cross join as_of

),

final as (

    select
        buyer_id,
        ordered_date,
        month_start,
        purchase_number,
        age,
        has_alike,
        usual_days,
        usual_amount,
        {%- for share in window_shares() %}
        first_day_{{ share }},
        last_day_{{ share }},
        {%- endfor %}
        late_after_days,
        low_amount,
        high_amount,
        next_ordered_date,
        next_amount,
        {#- A window is judged when its last day is over, not when an order ends it: those that are
        right are known earlier than those that are wrong. None was set by what was found late. #}
        {%- for share in window_shares() %}
        case
            when not is_known_then or last_day_{{ share }} > figures_up_to then null
            when next_ordered_date between first_day_{{ share }} and last_day_{{ share }} then true
            when last_day_{{ share }} is not null then false
        end as is_right_{{ share }},
        {%- endfor %}
        case
            when not is_known_then then null
            when next_ordered_date <= figures_up_to
                then next_amount between low_amount and high_amount
        end as is_amount_right
    from windows

)

select * from final
