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

{# The last windows of a buyer that were judged, and those of all that were shown. #}
judged as (

    select
        buyer_id,
        is_right_80,
        row_number() over (
            partition by buyer_id order by ordered_date desc
        ) as place_of_buyer,
        row_number() over (
            order by last_day_80 desc, ordered_date desc, {{ by_code_points('buyer_id') }}
        ) as place_of_all
    from forecasts
    where is_right_80 is not null
        and purchase_number >= {{ fewest_shown_purchases() }}

),

by_buyer as (

    select
        buyer_id,
        count(*) as judged_count,
        sum(case when is_right_80 then 1 else 0 end) as right_count,
        coalesce(
            max(place_of_buyer) >= {{ judged_of_buyer() }}
            and 100 * sum(
                case when is_right_80 and place_of_buyer <= {{ judged_of_buyer() }} then 1 else 0 end
            ) < {{ fewest_right() }} * {{ judged_of_buyer() }},
            false
        ) as is_right_too_seldom
    from judged
    group by buyer_id

),

of_all as (

    select coalesce(
        count(*) >= {{ judged_of_all() }}
        and 100 * sum(case when is_right_80 then 1 else 0 end) < {{ fewest_right() }} * count(*),
        false
    ) as is_right_too_seldom
    from judged
    where place_of_all <= {{ judged_of_all() }}

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
        forecasts.ordered_date as last_ordered_date,
        buyers.purchase_count,
        forecasts.usual_amount,
        {%- for share in window_shares() %}
        forecasts.first_day_{{ share }},
        forecasts.last_day_{{ share }},
        {%- endfor %}
        forecasts.low_amount,
        forecasts.high_amount,
        coalesce(by_buyer.judged_count, 0) as judged_count,
        coalesce(by_buyer.right_count, 0) as right_count,
        weeks.order_in_week_share,
        weeks.order_again_share,
        as_of.figures_up_to,
        case
            when forecasts.purchase_number is null
                or forecasts.purchase_number < {{ fewest_shown_purchases() }}
                then 'too_few_purchases'
            when forecasts.last_day_80 is null then 'too_few_alike'
            when of_all.is_right_too_seldom then 'all_right_too_seldom'
            when by_buyer.is_right_too_seldom then 'right_too_seldom'
            when coalesce(forecasts.last_day_90, forecasts.last_day_80) <= as_of.figures_up_to
                then 'passed'
            when weeks.is_due then 'due'
            else 'later'
        end as standing
    from buyers
    left join forecasts on buyers.buyer_id = forecasts.buyer_id and forecasts.place = 1
    left join by_buyer on buyers.buyer_id = by_buyer.buyer_id
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
