-- marts/dim_items (table)
--   item_id text
--   vendor_id text
--   brand_id text
--   category_id text
--   item_title text
--   description text
--   product_code text
--   sku text
--   upc text
--   item_status text
--   vendor_name text
--   brand_name text
--   category_name text
--   unit_price decimal(38, 9)
--   msrp decimal(38, 9)
--   minimum_advertised_price decimal(38, 9)
--   minimum_quantity bigint
--   quantity_multiplier bigint
--   variant_count bigint
--   image_count bigint
--   is_deleted boolean
--   deleted_at timestamptz
with

items as (

    select * from stg_wholesale__items

),

categories as (

    select * from stg_wholesale__categories

),

brands as (

    select * from stg_wholesale__brands

),

item_images as (

    select * from stg_wholesale__item_images

),

images_by_item as (

    select
        item_id,
        count(*) as image_count
    from item_images
    where not is_deleted
    group by item_id

),

final as (

    select
        items.item_id,
        items.vendor_id,
        items.brand_id,
        items.category_id,
        items.item_title,
        items.description,
        items.product_code,
        items.sku,
        items.upc,
        items.item_status,
        items.vendor_name,
        coalesce(items.brand_name, brands.brand_title) as brand_name,
        coalesce(items.category_name, categories.category_title) as category_name,
        items.unit_price,
        items.msrp,
        items.minimum_advertised_price,
        items.minimum_quantity,
        items.quantity_multiplier,
        items.variant_count,
        coalesce(images_by_item.image_count, 0) as image_count,
        items.is_deleted,
        items.deleted_at
    from items
    left join brands on items.brand_id = brands.brand_id
    left join categories on items.category_id = categories.category_id
    left join images_by_item on items.item_id = images_by_item.item_id

)

select * from final
