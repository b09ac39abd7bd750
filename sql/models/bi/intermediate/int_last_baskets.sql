{# The last order of each buyer, and what the buyer spent in a month. #}
with

orders as (

    select * from {{ ref('int_purchases') }}
    where ordered_date is not null
        and buyer_id is not null

),

numbered as (

    select
        *,
        row_number() over (
            partition by buyer_id
            order by ordered_at desc nulls last, {{ by_code_points('order_id') }} desc
        ) as place
    from orders

),

baskets as (

    select * from numbered
    where place = 1

),

spent as (

    select
        baskets.buyer_id,
        sum(orders.sub_total) as amount
    from baskets
    inner join orders
        on baskets.buyer_id = orders.buyer_id
        and baskets.ordered_date >= orders.ordered_date
        and {{ days_between('orders.ordered_date', 'baskets.ordered_date') }}
        < {{ setting('spending_days') }}
    group by baskets.buyer_id

),

final as (

    select
        baskets.buyer_id,
        baskets.order_id,
        baskets.order_number,
        baskets.sub_total as basket_amount,
        cast(
            round({{ ratio('30 * spent.amount', setting('spending_days')) }}, 2) as decimal(38, 9)
        ) as monthly_amount
    from baskets
    inner join spent on baskets.buyer_id = spent.buyer_id

)

select * from final
