-- intermediate/int_products_sold (table)
with

order_lines as (

    select distinct
        item_id,
        sku,
        variant_id
    from fct_order_lines
    where is_sale

),

line_products as (

    select * from int_line_products

),

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
        md5(
        coalesce(length(item_id) || ':' || item_id, 'null') || ',' ||
        coalesce(length(sku) || ':' || sku, 'null') || ',' ||
        coalesce(length(variant_id) || ':' || variant_id, 'null')
    ) as line_product_id,
        md5(
        coalesce(length(item_id) || ':' || item_id, 'null') || ',' ||
        coalesce(length(lower(translate(sku, chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(28) || chr(29) || chr(30) || chr(31) || chr(32) || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288), ''))) || ':' || lower(translate(sku, chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(28) || chr(29) || chr(30) || chr(31) || chr(32) || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288), '')), 'null') || ',' ||
        coalesce(length(variant_id) || ':' || variant_id, 'null')
    ) as unlisted_product_id
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
