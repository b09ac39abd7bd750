-- intermediate/int_buyer_purchases (table)
with

orders as (

    select * from fct_orders
    where is_sale
        and is_return is not true
        and buyer_id is not null
        and ordered_date is not null

),

purchase_days as (

    select distinct
        buyer_id,
        ordered_date
    from orders

),

purchases as (

    select
        buyer_id,
        ordered_date,
        cast(datediff(ordered_date, lag(ordered_date) over of_buyer) as bigint)
            as days_since_previous,
        row_number() over of_buyer as purchase_number
    from purchase_days
    window of_buyer as (partition by buyer_id order by ordered_date)

),

gaps as (

    select
        *,
        row_number() over (
            partition by buyer_id order by days_since_previous nulls last
        ) as place,
        count(days_since_previous) over (partition by buyer_id) as gap_count
    from purchases

),

final as (

    select
        buyer_id,
        count(*) as purchase_count,
        min(case when purchase_number = 2 then ordered_date end) as second_ordered_date,
        min(case when place >= 0.5 * gap_count then days_since_previous end)
            as median_days_between_orders,

        min(
            case
                when place >= (select build.late_percentile from build_settings as build) * (gap_count + 1)
                    or place = gap_count
                    then days_since_previous
            end
        ) as late_after_days,
        coalesce(
            max(gap_count) >= (select build.late_percentile from build_settings as build) * (max(gap_count) + 1), false
        ) as has_late_percentile
    from gaps
    group by buyer_id

)

select * from final
