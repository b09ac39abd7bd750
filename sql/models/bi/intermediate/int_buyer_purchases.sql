with

orders as (

    select * from {{ ref('fct_orders') }}
    where is_sale
        and is_return is not true
        and buyer_id is not null
        and ordered_date is not null

),

{# An order has one vendor, so a cart becomes an order for each: those of one day with different
vendors are one purchase, a second one with the same vendor begins the next. #}
by_vendor as (

    select
        buyer_id,
        ordered_date,
        count(*) as order_count
    from orders
    group by
        buyer_id,
        ordered_date,
        vendor_id

),

days as (

    select
        buyer_id,
        ordered_date,
        max(order_count) as purchase_count
    from by_vendor
    group by
        buyer_id,
        ordered_date

),

purchases_of_day as (

    select
        buyer_id,
        ordered_date,
        {{ each_number('purchase_count') }} as purchase_of_day
    from days

),

purchases as (

    select
        buyer_id,
        ordered_date,
        {{ days_between('lag(ordered_date) over of_buyer', 'ordered_date') }}
            as days_since_previous,
        row_number() over of_buyer as purchase_number
    from purchases_of_day
    window of_buyer as (partition by buyer_id order by ordered_date, purchase_of_day)

),

{# The gaps of a buyer in their order; the first purchase, which has none, comes last. #}
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
                when place >= {{ setting('late_percentile') }} * gap_count then days_since_previous
            end
        ) as late_after_days
    from gaps
    group by buyer_id

)

select * from final
