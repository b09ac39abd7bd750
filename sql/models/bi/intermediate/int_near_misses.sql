{# Orders that one more carton of what is in them lifts over the minimum of their vendor. #}
with

orders as (

    select * from {{ ref('int_purchases') }}
    where order_standing in ('waiting', 'accepted')
        and waiting_days <= {{ setting('old_order_days') }}

),

misses as (

    select * from {{ ref('rpt_minimum_orders') }}
    where is_near_miss

),

cartons as (

    select
        order_products.*,
        greatest(coalesce(variants.quantity_multiplier, 1), 1) as carton_quantity,
        cast(
            greatest(coalesce(variants.quantity_multiplier, 1), 1) * order_products.unit_price
            as decimal(38, 9)
        ) as carton_amount
    from {{ ref('int_order_products') }} as order_products
    left join {{ ref('dim_variants') }} as variants
        on order_products.variant_id = variants.variant_id
    where order_products.is_sale
        and order_products.unit_price > 0

),

enough as (

    select
        orders.order_id,
        orders.sub_total as amount,
        misses.value_shortfall,
        misses.minimum_order_value,
        misses.quantity_shortfall,
        misses.minimum_order_quantity,
        cartons.product_id,
        cartons.item_title,
        cartons.variant_title,
        cartons.sku,
        cartons.carton_quantity,
        cartons.carton_amount,
        row_number() over (
            partition by orders.order_id order by cartons.carton_amount, cartons.line_number
        ) as place
    from misses
    inner join orders on misses.order_id = orders.order_id
    inner join cartons
        on misses.order_id = cartons.order_id
        and misses.value_shortfall <= cartons.carton_amount
        and misses.quantity_shortfall <= cartons.carton_quantity

),

final as (

    select * from enough
    where place = 1

)

select * from final
