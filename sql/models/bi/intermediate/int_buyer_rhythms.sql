{# How often a buyer purchases, and after how many days it is late: by its own gaps, or where it
has too few, by buyers with about as many purchases. #}
with

purchases as (

    select * from {{ ref('int_buyer_purchases') }}

),

alike as (

    select
        buyer_id,
        late_after_days,
        row_number() over (partition by buyer_id order by ordered_date desc) as place
    from {{ ref('int_forecasts') }}

),

final as (

    select
        purchases.buyer_id,
        purchases.purchase_count,
        purchases.second_ordered_date,
        purchases.median_days_between_orders,
        case
            when purchases.has_late_percentile then purchases.late_after_days
            else coalesce(alike.late_after_days, purchases.late_after_days)
        end as late_after_days,
        coalesce(
            purchases.has_late_percentile or alike.late_after_days is not null, false
        ) as has_late_percentile
    from purchases
    left join alike on purchases.buyer_id = alike.buyer_id and alike.place = 1

)

select * from final
