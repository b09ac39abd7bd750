-- marts/dim_variants (table)
--   variant_id text
--   item_id text
--   vendor_id text
--   brand_id text
--   category_id text
--   variant_title text
--   item_title text
--   product_code text
--   item_status text
--   sku text
--   upc text
--   sku_status text
--   vendor_name text
--   brand_name text
--   category_name text
--   unit_price decimal(38, 9)
--   msrp decimal(38, 9)
--   minimum_advertised_price decimal(38, 9)
--   buyer_margin_share decimal(38, 6)
--   minimum_quantity bigint
--   quantity_multiplier bigint
--   is_deleted boolean
--   deleted_at timestamptz
with

variants as (

    select * from stg_wholesale__variants

),

items as (

    select * from stg_wholesale__items

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
        cast(
        round(
            cast(variants.msrp - variants.unit_price as decimal(38, 9))
            / nullif(cast(variants.msrp as decimal(38, 9)), 0),
            6
        ) as decimal(38, 6)
    ) as buyer_margin_share,
        variants.minimum_quantity,
        variants.quantity_multiplier,
        variants.is_deleted,
        variants.deleted_at
    from variants
    left join items on variants.item_id = items.item_id

)

select * from final
