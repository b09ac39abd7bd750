with

{# Orders that nobody knew of on their day. #}
found_late as (

    select distinct order_id
    from {{ ref('int_order_events') }}
    where event_kind = 'found late'

),

orders as (

    select * from {{ ref('fct_orders') }}
    where is_sale
        and is_return is not true
        and buyer_id is not null
        and ordered_date is not null

),

{# A purchase is a day: a cart becomes an order for each vendor, and what was forgotten another. #}
purchase_days as (

    select
        orders.buyer_id,
        orders.ordered_date,
        sum(orders.sub_total) as amount,
        count(*) > count(found_late.order_id) as is_known_then
    from orders
    left join found_late on orders.order_id = found_late.order_id
    group by orders.buyer_id, orders.ordered_date

),

final as (

    select
        buyer_id,
        ordered_date,
        amount,
        is_known_then,
        cast(row_number() over of_buyer as bigint) as purchase_number,
        cast(
            {{ days_between('lag(ordered_date) over of_buyer', 'ordered_date') }} as bigint
        ) as days_since_previous,
        lead(ordered_date) over of_buyer as next_ordered_date,
        lead(amount) over of_buyer as next_amount
    from purchase_days
    window of_buyer as (partition by buyer_id order by ordered_date)

)

select * from final
