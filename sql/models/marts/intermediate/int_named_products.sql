with

line_names as (

    select
        *,
        {{ key_of(['item_id', sku_key('sku'), 'variant_id']) }} as unlisted_product_id
    from {{ ref('int_line_names') }}

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
