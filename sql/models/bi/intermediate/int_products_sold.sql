with

order_lines as (

    select distinct
        item_id,
        sku,
        variant_id
    from {{ ref('fct_order_lines') }}
    where is_sale

),

line_products as (

    select * from {{ ref('int_line_products') }}

),

{# A line that belongs to an item, but to none of its variants, is of a product that can be ordered
if any of them can. #}
unlisted as (

    select
        line_product_id,
        bool_or(is_orderable) as is_orderable
    from line_products
    group by line_product_id

),

lines_sold as (

    select
        *,
        {{ key_of(['item_id', 'sku', 'variant_id']) }} as line_product_id,
        {{ key_of(['item_id', sku_key('sku'), 'variant_id']) }} as unlisted_product_id
    from order_lines

),

final as (

    select
        lines_sold.line_product_id,
        lines_sold.item_id,
        lines_sold.sku,
        lines_sold.variant_id,
        coalesce(line_products.product_id, lines_sold.unlisted_product_id) as product_id,
        dense_rank() over (
            order by coalesce(line_products.product_id, lines_sold.unlisted_product_id)
        ) as product_number,
        line_products.product_id is not null as is_listed,
        coalesce(line_products.is_orderable, unlisted.is_orderable, false) as is_orderable
    from lines_sold
    left join line_products
        on lines_sold.line_product_id = line_products.line_product_id
        and line_products.is_meant
    left join unlisted on lines_sold.line_product_id = unlisted.line_product_id

)

select * from final
