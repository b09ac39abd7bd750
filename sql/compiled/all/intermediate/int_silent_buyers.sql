-- intermediate/int_silent_buyers (table)
with

buyers as (

    select * from rpt_reorders
    where is_late
        and is_lapsed is not true

),

buyer_names as (

    select * from dim_names
    where name_kind = 'buyer'

),

baskets as (

    select * from int_last_baskets

),

favourites as (

    select
        *,
        row_number() over (
            partition by order_id order by total_price desc nulls last, line_number asc
        ) as place
    from int_order_products
    where order_id in (select baskets.order_id from baskets)

),

final as (

    select
        buyers.buyer_id,
        buyer_names.display_name as buyer_name,
        buyers.account_manager_id,
        buyers.median_days_between_orders,
        buyers.late_after_days,
        buyers.days_since_last_order,
        buyers.last_ordered_date,
        baskets.order_id,
        baskets.order_number,
        baskets.basket_amount,
        baskets.monthly_amount,
        favourites.product_id,
        favourites.item_title,
        favourites.variant_title,
        favourites.sku
    from buyers
    left join buyer_names on buyers.buyer_id = buyer_names.name_key
    left join baskets on buyers.buyer_id = baskets.buyer_id
    left join favourites
        on baskets.order_id = favourites.order_id
        and favourites.place = 1

)

select * from final
