with

variants as (

    select * from {{ ref('dim_variants') }}

),

items as (

    select * from {{ ref('dim_items') }}

),

listed_variants as (

    select
        variant_id as product_id,
        'variant' as product_kind,
        item_id,
        sku,
        item_title,
        variant_title,
        vendor_id,
        vendor_name,
        category_name,
        unit_price,
        (
            not is_deleted
            and coalesce(sku_status, 'active') = 'active'
            and coalesce(item_status, 'published') = 'published'
        ) as is_orderable
    from variants

),

{# An item whose variants are all gone is sold by itself again. #}
items_without_variants as (

    select
        item_id as product_id,
        'item' as product_kind,
        item_id,
        sku,
        item_title,
        cast(null as text) as variant_title,
        vendor_id,
        vendor_name,
        category_name,
        unit_price,
        not is_deleted and coalesce(item_status, 'published') = 'published' as is_orderable
    from items
    where
        not exists (
            select 1
            from variants
            where variants.item_id = items.item_id
                and not variants.is_deleted
        )

),

final as (

    select * from listed_variants
    union all
    select * from items_without_variants

)

select * from final
