{# Buyers that are due, each with its last basket. #}
with

buyers as (

    select * from {{ ref('rpt_next_orders') }}
    where standing = 'due'

),

rhythms as (

    select * from {{ ref('rpt_reorders') }}

),

baskets as (

    select * from {{ ref('int_last_baskets') }}

),

final as (

    select
        buyers.buyer_id,
        buyers.buyer_name,
        buyers.account_manager_id,
        buyers.order_in_week_share,
        buyers.usual_amount,
        buyers.last_day_80,
        rhythms.median_days_between_orders,
        rhythms.days_since_last_order,
        buyers.last_ordered_date,
        baskets.order_id,
        baskets.order_number,
        baskets.basket_amount
    from buyers
    left join rhythms on buyers.buyer_id = rhythms.buyer_id
    left join baskets on buyers.buyer_id = baskets.buyer_id

)

select * from final
