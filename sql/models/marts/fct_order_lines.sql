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

{# Few orders name a product twice: only these are numbered, as a window over all lines would carry
each line along. #}
named_again as (

    select order_id
    from {{ ref('stg_wholesale__order_line_items') }}
    group by
        order_id,
        item_id,
        sku
    having count(*) > 1

),

numbered as (

    select
        order_line_id,
        row_number() over (
            partition by order_id, item_id, sku
            order by line_number
        ) as place
    from {{ ref('stg_wholesale__order_line_items') }}
    where order_id in (select named_again.order_id from named_again)

),

later_lines as (

    select order_line_id
    from numbered
    where place > 1

),

final as (

    select
        order_lines.order_line_id,
        order_lines.order_id,
        order_lines.line_number,
        orders.vendor_id,
        orders.buyer_id,
        order_lines.item_id,
        order_lines.variant_id,
        order_lines.sku,
        order_lines.item_title,
        order_lines.variant_title,
        order_lines.category_name,
        order_lines.vendor_name,
        orders.order_status,
        order_lines.quantity,
        order_lines.unit_price,
        {{ amount('order_lines.quantity * order_lines.unit_price') }} as gross_amount,
        order_lines.discount_amount,
        order_lines.total_price,
        {{ amount('order_lines.quantity * order_lines.unit_price') }} - order_lines.total_price
            as line_gap,
        later_lines.order_line_id is null as is_first_of_product,
        orders.is_deleted,
        {{ is_sale('orders') }} as is_sale,
        {{ business_date('orders.plausible_ordered_at') }} as ordered_date,
        orders.plausible_ordered_at as ordered_at,
        order_lines.set_aside
    from order_lines
    inner join orders on order_lines.order_id = orders.order_id
    inner join orders_to_build on order_lines.order_id = orders_to_build.order_id
    left join later_lines on order_lines.order_line_id = later_lines.order_line_id

)

select * from final
