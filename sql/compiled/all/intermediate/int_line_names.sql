-- intermediate/int_line_names (table)
with

orders as (

    select * from int_orders

),

names as (

    select
        line_items.item_id,
        line_items.sku,
        line_items.variant_id,
        bool_or(orders.is_sale) as is_sold
    from orders
    inner join stg_wholesale__order_line_items as line_items
        on orders.order_id = line_items.order_id
    group by
        line_items.item_id,
        line_items.sku,
        line_items.variant_id

),

final as (

    select
        md5(
        coalesce(length(item_id) || ':' || item_id, 'null') || ',' ||
        coalesce(length(sku) || ':' || sku, 'null') || ',' ||
        coalesce(length(variant_id) || ':' || variant_id, 'null')
    ) as line_product_id,
        item_id,
        sku,
        variant_id,
        is_sold
    from names

)

select * from final
