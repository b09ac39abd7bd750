with

variants as (

    select * from {{ ref('stg_wholesale__variants') }}

),

items as (

    select * from {{ ref('stg_wholesale__items') }}

),

final as (

    select
        variants.variant_id,
        variants.item_id,
        variants.vendor_id,
        variants.brand_id,
        variants.category_id,
        variants.variant_title,
        coalesce(variants.item_title, items.item_title) as item_title,
        coalesce(variants.product_code, items.product_code) as product_code,
        items.item_status,
        variants.sku,
        variants.upc,
        variants.sku_status,
        variants.vendor_name,
        variants.brand_name,
        variants.category_name,
        variants.unit_price,
        variants.msrp,
        variants.minimum_advertised_price,
        {{ ratio('variants.msrp - variants.unit_price', 'variants.msrp') }} as buyer_margin_share,
        variants.minimum_quantity,
        variants.quantity_multiplier,
        variants.is_deleted,
        variants.deleted_at
    from variants
    left join items on variants.item_id = items.item_id

)

select * from final
