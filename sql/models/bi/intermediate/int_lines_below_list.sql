{# Lines sold of late for less than the buyer's own price list, or else the list price, said. #}
with

orders as (

    select * from {{ ref('int_purchases') }}
    where waiting_days between 0 and {{ setting('recent_days') }}

),

sold as (

    select order_products.*
    from {{ ref('int_order_products') }} as order_products
    inner join orders on order_products.order_id = orders.order_id
    where order_products.is_sale
        and order_products.quantity > 0

),

final as (

    select
        sold.order_line_id,
        sold.order_id,
        sold.quantity,
        sold.unit_price,
        sold.list_price,
        cast((sold.list_price - sold.unit_price) * sold.quantity as decimal(38, 9)) as amount,
        sold.product_id,
        sold.item_title,
        sold.variant_title,
        sold.sku
    from sold
    where sold.unit_price < sold.list_price

)

select * from final
