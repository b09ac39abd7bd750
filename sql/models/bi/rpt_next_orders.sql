with

forecasts as (

    select
        *,
        row_number() over (partition by buyer_id order by ordered_date desc) as place
    from {{ ref('int_forecasts') }}

),

buyers as (

    select * from {{ ref('rpt_reorders') }}
    where not is_deleted
        and purchase_count > 0

),

verdicts as (

    select * from {{ ref('int_window_verdicts') }}

),

of_all as (

    select
        coalesce(max(case when are_all_right_too_seldom then 1 end) = 1, false)
            as is_right_too_seldom
    from verdicts

),

as_of as (

    select * from {{ ref('int_as_of') }}

),

awaited as (

    select
        buyers.buyer_id,
        buyers.company_name as buyer_name,
        buyers.account_manager_id,
        buyers.state,
        buyers.last_ordered_date,
        buyers.purchase_count,
        forecasts.usual_amount,
        {%- for share in window_shares() %}
        forecasts.first_day_{{ share }},
        forecasts.last_day_{{ share }},
        {%- endfor %}
        forecasts.low_amount,
        forecasts.high_amount,
        coalesce(verdicts.judged_count, 0) as judged_count,
        coalesce(verdicts.right_count, 0) as right_count,
        weeks.order_in_week_share,
        weeks.order_again_share,
        as_of.figures_up_to,
        case
            when buyers.purchase_count < {{ fewest_shown_purchases() }} then 'too_few_purchases'
            when forecasts.last_day_80 is null then 'too_few_alike'
            when of_all.is_right_too_seldom then 'all_right_too_seldom'
            when verdicts.is_right_too_seldom then 'right_too_seldom'
            when coalesce(forecasts.last_day_90, forecasts.last_day_80) <= as_of.figures_up_to
                then 'passed'
            when weeks.is_due then 'due'
            else 'later'
        end as standing
    from buyers
    left join forecasts on buyers.buyer_id = forecasts.buyer_id and forecasts.place = 1
    left join verdicts on buyers.buyer_id = verdicts.buyer_id
    left join {{ ref('int_forecast_weeks') }} as weeks
        on buyers.buyer_id = weeks.buyer_id
        and weeks.is_next
    cross join of_all
    cross join as_of

),

shown as (

    select
        *,
        standing in ('due', 'later', 'passed') as has_window
    from awaited

),

final as (

    select
        buyer_id,
        buyer_name,
        account_manager_id,
        state,
        standing,
        purchase_count,
        last_ordered_date,
        {%- for share in window_shares() %}
        case when has_window then first_day_{{ share }} end as first_day_{{ share }},
        case when has_window then last_day_{{ share }} end as last_day_{{ share }},
        {%- endfor %}
        usual_amount,
        case when has_window then low_amount end as low_amount,
        case when has_window then high_amount end as high_amount,
        {%- for share in ['order_in_week_share', 'order_again_share'] %}
        case when has_window then {{ share }} end as {{ share }},
        {%- endfor %}
        judged_count,
        right_count,
        figures_up_to
    from shown

)

select * from final
