{{ config(materialized='view') }}

{# The products of lines by the names that they have everywhere, of orders that are no returns. #}
with

lines as (

    select * from {{ ref('fct_order_lines') }}
    where not is_deleted

),

orders as (

    select * from {{ ref('int_purchases') }}

),

products as (

    select * from {{ ref('rpt_catalogue') }}

),

final as (

    select
        lines.order_line_id,
        lines.order_id,
        lines.line_number,
        lines.variant_id,
        lines.is_sale,
        lines.quantity,
        lines.unit_price,
        lines.list_price,
        lines.total_price,
        lines.product_id,
        case
            when products.product_id is null then lines.item_title
            else products.item_title
        end as item_title,
        case
            when products.product_id is null then lines.variant_title
            else products.variant_title
        end as variant_title,
        case when products.product_id is null then lines.sku else products.sku end as sku
    from lines
    inner join orders on lines.order_id = orders.order_id
    left join products on lines.product_id = products.product_id

)

select * from final
