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

item_names as (

    select * from {{ ref('dim_names') }}
    where name_kind = 'item'

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
            when lines.item_key is null then products.item_title
            else item_names.display_name
        end as item_title,
        case
            when products.product_id is null then lines.variant_title
            else products.variant_title
        end as variant_title,
        case when products.product_id is null then lines.sku else products.sku end as sku
    from lines
    inner join orders on lines.order_id = orders.order_id
    left join products on lines.product_id = products.product_id
    left join item_names on lines.item_key = item_names.name_key

)

select * from final
