-- intermediate/int_named_products (table)
with

line_names as (

    select
        *,
        md5(
        coalesce(length(item_id) || ':' || item_id, 'null') || ',' ||
        coalesce(length(lower(translate(sku, '\u0009\u000a\u000b\u000c\u000d\u001c\u001d\u001e\u001f\u0020\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000', ''))) || ':' || lower(translate(sku, '\u0009\u000a\u000b\u000c\u000d\u001c\u001d\u001e\u001f\u0020\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000', '')), 'null') || ',' ||
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
