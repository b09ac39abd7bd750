with

variants as (

    select * from {{ ref('dim_variants') }}

),

items as (

    select * from {{ ref('dim_items') }}

),

listed_variants as (

    select
        variants.variant_id as product_id,
        'variant' as product_kind,
        variants.item_id,
        variants.sku,
        variants.item_title,
        variants.variant_title,
        variants.vendor_id,
        variants.vendor_name,
        variants.category_name,
        variants.unit_price,
        (
            not variants.is_deleted
            and not coalesce(items.is_deleted, false)
            and coalesce(variants.sku_status, 'active') = 'active'
            and coalesce(variants.item_status, 'published') = 'published'
        ) as is_orderable
    from variants
    left join items on variants.item_id = items.item_id

),

{# An item whose variants are all deleted counts as one without variants. #}
items_without_variants as (

    select
        item_id as product_id,
        'item' as product_kind,
        item_id,
        sku,
        item_title,
        cast(null as {{ sql_type('text') }}) as variant_title,
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
