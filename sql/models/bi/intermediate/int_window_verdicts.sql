{# How often the windows of 80 % of each buyer were right, and whether the last ones were right too
seldom to show another: those of the buyer, and those of all. #}
with

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
    from {{ ref('int_forecasts') }}
    where is_right_80 is not null
        and purchase_number >= {{ fewest_shown_purchases() }}

),

lately as (

    select
        *,
        case when is_right_80 then 1 else 0 end as right_one,
        case
            when is_right_80 and place_of_buyer <= {{ judged_of_buyer() }} then 1
            else 0
        end as right_lately
    from judged

),

by_buyer as (

    select
        buyer_id,
        count(*) as judged_count,
        cast(sum(right_one) as bigint) as right_count,
        count(*) >= {{ judged_of_buyer() }}
        and 100 * sum(right_lately) < {{ fewest_right() }} * {{ judged_of_buyer() }}
            as is_right_too_seldom
    from lately
    group by buyer_id

),

of_all as (

    select
        count(*) >= {{ judged_of_all() }}
        and 100 * sum(right_one) < {{ fewest_right() }} * count(*) as are_all_right_too_seldom
    from lately
    where place_of_all <= {{ judged_of_all() }}

),

final as (

    select
        by_buyer.buyer_id,
        by_buyer.judged_count,
        by_buyer.right_count,
        by_buyer.is_right_too_seldom,
        of_all.are_all_right_too_seldom
    from by_buyer
    cross join of_all

)

select * from final
