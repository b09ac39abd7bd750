-- marts/fct_order_lines (table)
--   order_line_id text
--   order_id text
--   line_number bigint
--   vendor_id text
--   buyer_id text
--   item_id text
--   product_id text
--   variant_id text
--   stated_variant_id text
--   sku text
--   item_title text
--   variant_title text
--   category_name text
--   vendor_name text
--   item_key text
--   sku_key text
--   order_status text
--   quantity bigint
--   unit_price decimal(38, 9)
--   gross_amount decimal(38, 9)
--   discount_amount decimal(38, 9)
--   total_price decimal(38, 9)
--   line_gap decimal(38, 9)
--   is_first_of_product boolean
--   is_deleted boolean
--   is_sale boolean
--   is_return boolean
--   ordered_date date
--   ordered_at timestamptz
--   set_aside text
with

order_lines as (

    select * from stg_wholesale__order_line_items

),

orders as (

    select * from int_orders

),

named_products as (

    select * from int_named_products

),

named_again as (

    select hashtextextended(row(line_items.order_id, named_products.product_id)::text, 0) as product_hash
    from named_products
    inner join stg_wholesale__order_line_items as line_items
        on md5(
        coalesce(length(line_items.item_id) || ':' || line_items.item_id, 'null') || ',' ||
        coalesce(length(line_items.sku) || ':' || line_items.sku, 'null') || ',' ||
        coalesce(length(line_items.variant_id) || ':' || line_items.variant_id, 'null')
    ) = named_products.line_product_id
    group by hashtextextended(row(line_items.order_id, named_products.product_id)::text, 0)
    having count(*) > 1

),

numbered as (

    select
        line_items.order_line_id,
        row_number() over (
            partition by line_items.order_id, named_products.product_id
            order by line_items.line_number
        ) as place
    from named_products
    inner join stg_wholesale__order_line_items as line_items
        on md5(
        coalesce(length(line_items.item_id) || ':' || line_items.item_id, 'null') || ',' ||
        coalesce(length(line_items.sku) || ':' || line_items.sku, 'null') || ',' ||
        coalesce(length(line_items.variant_id) || ':' || line_items.variant_id, 'null')
    ) = named_products.line_product_id
    inner join named_again
        on named_again.product_hash
        = hashtextextended(row(line_items.order_id, named_products.product_id)::text, 0)

),

later_lines as (

    select order_line_id
    from numbered
    where place > 1

),

lines_of_orders as (

    select
        order_lines.*,
        named_products.product_id,
        case when named_products.product_kind = 'variant' then named_products.product_id end
            as resolved_variant_id,
        orders.vendor_id,
        orders.buyer_id,
        orders.order_status,
        orders.is_deleted,
        orders.plausible_ordered_at,
        orders.is_sale,
        coalesce(orders.is_return, false) as is_return,
        case when order_lines.quantity * order_lines.unit_price between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then order_lines.quantity * order_lines.unit_price end as gross_amount
    from orders
    inner join order_lines on orders.order_id = order_lines.order_id
    inner join named_products on md5(
        coalesce(length(order_lines.item_id) || ':' || order_lines.item_id, 'null') || ',' ||
        coalesce(length(order_lines.sku) || ':' || order_lines.sku, 'null') || ',' ||
        coalesce(length(order_lines.variant_id) || ':' || order_lines.variant_id, 'null')
    ) = named_products.line_product_id

),

final as (

    select
        lines_of_orders.order_line_id,
        lines_of_orders.order_id,
        lines_of_orders.line_number,
        lines_of_orders.vendor_id,
        lines_of_orders.buyer_id,
        lines_of_orders.item_id,
        lines_of_orders.product_id,
        lines_of_orders.resolved_variant_id as variant_id,
        lines_of_orders.variant_id as stated_variant_id,
        lines_of_orders.sku,
        lines_of_orders.item_title,
        lines_of_orders.variant_title,
        lines_of_orders.category_name,
        lines_of_orders.vendor_name,
        coalesce(nullif(lines_of_orders.item_id, ''), 'name:' || nullif(lines_of_orders.item_title, '')) as item_key,
        coalesce(nullif(lines_of_orders.sku, ''), 'name:' || nullif(lines_of_orders.item_title, '')) as sku_key,
        lines_of_orders.order_status,
        lines_of_orders.quantity,
        lines_of_orders.unit_price,
        lines_of_orders.gross_amount,
        lines_of_orders.discount_amount,
        lines_of_orders.total_price,
        lines_of_orders.gross_amount - lines_of_orders.total_price as line_gap,
        later_lines.order_line_id is null as is_first_of_product,
        lines_of_orders.is_deleted,
        lines_of_orders.is_sale,
        lines_of_orders.is_return,
        cast(lines_of_orders.plausible_ordered_at at time zone (select build.time_zone from wholesale_build.settings as build) as date) as ordered_date,
        lines_of_orders.plausible_ordered_at as ordered_at,
        lines_of_orders.set_aside
    from later_lines
    right join lines_of_orders -- noqa: convention.left_join
        on later_lines.order_line_id = lines_of_orders.order_line_id

)

select * from final
