-- intermediate/int_lines_below_list (table)
with

orders as (

    select * from int_purchases
    where waiting_days between 0 and (select build.recent_days from build_settings as build)

),

buyers as (

    select * from dim_buyers

),

sold as (

    select
        order_products.*,
        orders.ordered_at,
        buyers.price_list_id
    from int_order_products as order_products
    inner join orders on order_products.order_id = orders.order_id
    left join buyers on orders.buyer_id = buyers.buyer_id
    where order_products.is_sale
        and order_products.quantity > 0

),

priced as (

    select
        sold.order_line_id,
        min(coalesce(listed.unit_price, variants.unit_price)) as list_price
    from sold
    left join fct_list_prices as listed
        on sold.price_list_id = listed.price_list_id
        and sold.variant_id = listed.variant_id
        and (sold.ordered_at >= listed.valid_from or listed.version_number = 1)
        and coalesce(sold.ordered_at < listed.valid_to, true)
        and not listed.is_deleted
    left join fct_variant_prices as variants
        on sold.variant_id = variants.variant_id
        and (sold.ordered_at >= variants.valid_from or variants.version_number = 1)
        and coalesce(sold.ordered_at < variants.valid_to, true)
        and not variants.is_deleted
    group by sold.order_line_id

),

final as (

    select
        sold.order_line_id,
        sold.order_id,
        sold.quantity,
        sold.unit_price,
        priced.list_price,
        cast((priced.list_price - sold.unit_price) * sold.quantity as decimal(38, 9)) as amount,
        sold.product_id,
        sold.item_title,
        sold.variant_title,
        sold.sku
    from sold
    inner join priced on sold.order_line_id = priced.order_line_id
    where sold.unit_price < priced.list_price

)

select * from final
