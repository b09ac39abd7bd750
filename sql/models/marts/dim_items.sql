with

items as (

    select * from {{ ref('stg_wholesale__items') }}

),

categories as (

    select * from {{ ref('stg_wholesale__categories') }}

),

brands as (

    select * from {{ ref('stg_wholesale__brands') }}

),

item_images as (

    select * from {{ ref('stg_wholesale__item_images') }}

),

item_names as (

    select * from {{ ref('dim_names') }}
    where name_kind = 'item'

),

vendor_names as (

    select * from {{ ref('dim_names') }}
    where name_kind = 'vendor'

),

images_by_item as (

    select
        item_id,
        count(*) as image_count,
        max(case when place = 1 then url end) as first_image_url
    from (
        select
            *,
            row_number() over (
                partition by item_id
                order by image_position asc nulls last, {{ by_code_points('item_image_id') }} asc
            ) as place
        from item_images
        where not is_deleted
    ) as placed
    group by item_id

),

final as (

    select
        items.item_id,
        items.vendor_id,
        items.brand_id,
        items.category_id,
        item_names.display_name as item_title,
        items.description,
        items.product_code,
        items.sku,
        items.upc,
        items.item_status,
        vendor_names.display_name as vendor_name,
        coalesce(items.brand_name, brands.brand_title) as brand_name,
        coalesce(items.category_name, categories.category_title) as category_name,
        items.unit_price,
        items.msrp,
        items.minimum_advertised_price,
        items.minimum_quantity,
        items.quantity_multiplier,
        items.variant_count,
        coalesce(images_by_item.image_count, 0) as image_count,
        images_by_item.first_image_url,
        items.is_deleted,
        items.deleted_at
    from items
    left join brands on items.brand_id = brands.brand_id
    left join categories on items.category_id = categories.category_id
    left join item_names on items.item_id = item_names.name_key
    left join vendor_names
        on {{ identity('items.vendor_id', 'items.vendor_name') }} = vendor_names.name_key
    left join images_by_item on items.item_id = images_by_item.item_id

)

select * from final
