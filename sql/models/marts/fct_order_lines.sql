with

named_products as (

    select
        int_named_products.*,
        item_names.display_name as item_name
    from {{ ref('int_named_products') }} as int_named_products
    left join {{ ref('dim_names') }} as item_names
        on int_named_products.item_id = item_names.name_key
        and item_names.name_kind = 'item'

),

{# Few orders have a product twice. Only their lines are numbered: a window over all lines would
hold them all. #}
named_again as (

    select {{ row_hash('line_items.order_id, named_products.product_id') }} as product_hash
    from named_products
    inner join {{ ref('stg_wholesale__order_line_items') }} as line_items
        on {{ is_named('line_items', 'named_products') }}
    group by {{ row_hash('line_items.order_id, named_products.product_id') }}
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
    inner join {{ ref('stg_wholesale__order_line_items') }} as line_items
        on {{ is_named('line_items', 'named_products') }}
    inner join named_again
        on named_again.product_hash
        = {{ row_hash('line_items.order_id, named_products.product_id') }}

),

later_lines as (

    select order_line_id
    from numbered
    where place > 1

),

{# The smaller side stands to the left of each join, the few later lines, the orders, and the narrow
prices: an engine that does not know the sizes holds the left side in memory. #}
order_lines as (

    select
        as_read.*,
        later_lines.order_line_id is null as is_first_of_product
    from later_lines
    right join {{ ref('stg_wholesale__order_line_items') }} as as_read -- noqa: convention.left_join
        on later_lines.order_line_id = as_read.order_line_id

),

lines_of_orders as (

    select
        order_lines.*,
        named_products.product_id,
        case when named_products.product_kind = 'variant' then named_products.product_id end
            as resolved_variant_id,
        {{ identity('order_lines.item_id', 'order_lines.item_title') }} as item_key,
        case
            when nullif(order_lines.item_id, '') is null then nullif(order_lines.item_title, '')
            else named_products.item_name
        end as one_item_title,
        case
            when orders.vendor_key is null then nullif(order_lines.vendor_name, '')
            else orders.vendor_name
        end as one_vendor_name,
        orders.vendor_id,
        orders.buyer_id,
        orders.order_status,
        orders.is_deleted,
        orders.ordered_date,
        orders.ordered_at,
        orders.is_sale,
        orders.is_return,
        {{ amount('order_lines.quantity * order_lines.unit_price') }} as gross_amount
    from {{ ref('fct_orders') }} as orders
    inner join order_lines on orders.order_id = order_lines.order_id
    inner join named_products on {{ is_named('order_lines', 'named_products') }}

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
        lines_of_orders.one_item_title as item_title,
        lines_of_orders.variant_title,
        lines_of_orders.category_name,
        lines_of_orders.one_vendor_name as vendor_name,
        lines_of_orders.item_key,
        {{ identity('lines_of_orders.sku', 'lines_of_orders.one_item_title') }} as sku_key,
        lines_of_orders.order_status,
        lines_of_orders.quantity,
        lines_of_orders.unit_price,
        lines_of_orders.gross_amount,
        lines_of_orders.discount_amount,
        lines_of_orders.total_price,
        lines_of_orders.gross_amount - lines_of_orders.total_price as line_gap,
        line_prices.list_price,
        line_prices.is_list_price_seen,
        line_prices.list_price_amount,
        line_prices.paid_amount,
        lines_of_orders.is_first_of_product,
        lines_of_orders.is_deleted,
        lines_of_orders.is_sale,
        lines_of_orders.is_return,
        lines_of_orders.ordered_date,
        lines_of_orders.ordered_at,
        lines_of_orders.set_aside
    from {{ ref('int_line_prices') }} as line_prices
    right join lines_of_orders -- noqa: convention.left_join
        on line_prices.order_line_id = lines_of_orders.order_line_id

)

select * from final
