-- intermediate/int_named_products (table)
with

line_names as (

    select
        *,
        md5(
        coalesce(length(item_id) || ':' || item_id, 'null') || ',' ||
        coalesce(length(lower(translate(sku, chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(28) || chr(29) || chr(30) || chr(31) || chr(32) || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288), ''))) || ':' || lower(translate(sku, chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(28) || chr(29) || chr(30) || chr(31) || chr(32) || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288), '')), 'null') || ',' ||
        coalesce(length(variant_id) || ':' || variant_id, 'null')
    ) as unlisted_product_id
    from int_line_names

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

final as (

    select
        line_names.line_product_id,
        line_names.item_id,
        line_names.sku,
        line_names.variant_id,
        coalesce(line_products.product_id, line_names.unlisted_product_id) as product_id,
        coalesce(line_products.product_kind, 'unlisted') as product_kind,
        coalesce(line_products.is_orderable, unlisted.is_orderable, false) as is_orderable
    from line_names
    left join line_products
        on line_names.line_product_id = line_products.line_product_id
        and line_products.is_meant
    left join unlisted on line_names.line_product_id = unlisted.line_product_id

)

select * from final
