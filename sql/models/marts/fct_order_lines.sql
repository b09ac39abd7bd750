{{ config(materialized='by_order') }}

with

order_lines as (

    select * from {{ ref('stg_wholesale__order_line_items') }}

),

orders as (

    select * from {{ ref('int_orders') }}

),

orders_to_build as (

    select * from {{ ref('int_orders_to_build') }}

),

{# Few orders name a product twice. Only their lines are numbered: a window over all lines would hold
them all. #}
named_again as (

    select {{ row_hash('order_id, item_id, sku') }} as product_hash
    from {{ ref('stg_wholesale__order_line_items') }}
    {% call again(is_patching()) -%}
    where order_id in (select order_id from {{ ref('int_orders_to_build') }})
    {%- endcall %}
    group by {{ row_hash('order_id, item_id, sku') }}
    having count(*) > 1

),

numbered as (

    select
        line_items.order_line_id,
        row_number() over (
            partition by line_items.order_id, line_items.item_id, line_items.sku
            order by line_items.line_number
        ) as place
    from named_again
    inner join {{ ref('stg_wholesale__order_line_items') }} as line_items
        on named_again.product_hash
        = {{ row_hash('line_items.order_id, line_items.item_id, line_items.sku') }}

),

later_lines as (

    select order_line_id
    from numbered
    where place > 1

),

{# The smaller side stands to the left of each join, here the orders and below the few later lines:
an engine that does not know the sizes holds the left side in memory. #}
lines_to_build as (

    select
        order_lines.*,
        orders.vendor_id,
        orders.buyer_id,
        orders.order_status,
        orders.is_deleted,
        orders.plausible_ordered_at,
        {{ amount('order_lines.quantity * order_lines.unit_price') }} as gross_amount,
        {{ is_sale('orders') }} as is_sale
    from orders
    inner join orders_to_build on orders.order_id = orders_to_build.order_id
    inner join order_lines on orders.order_id = order_lines.order_id

),

final as (

    select
        lines_to_build.order_line_id,
        lines_to_build.order_id,
        lines_to_build.line_number,
        lines_to_build.vendor_id,
        lines_to_build.buyer_id,
        lines_to_build.item_id,
        lines_to_build.variant_id,
        lines_to_build.sku,
        lines_to_build.item_title,
        lines_to_build.variant_title,
        lines_to_build.category_name,
        lines_to_build.vendor_name,
        lines_to_build.order_status,
        lines_to_build.quantity,
        lines_to_build.unit_price,
        lines_to_build.gross_amount,
        lines_to_build.discount_amount,
        lines_to_build.total_price,
        lines_to_build.gross_amount - lines_to_build.total_price as line_gap,
        later_lines.order_line_id is null as is_first_of_product,
        lines_to_build.is_deleted,
        lines_to_build.is_sale,
        {{ business_date('lines_to_build.plausible_ordered_at') }} as ordered_date,
        lines_to_build.plausible_ordered_at as ordered_at,
        lines_to_build.set_aside
    from later_lines
    right join lines_to_build -- noqa: convention.left_join
        on later_lines.order_line_id = lines_to_build.order_line_id

)

select * from final
