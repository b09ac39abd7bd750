with

source as (

    {{ raw('variants') }}

),

renamed as (

    select
        -- keys
        id as variant_id,
        parent_id as item_id,
        vendor_id,
        brand_id,
        category_id,

        -- text
        title as variant_title,
        parent_title as item_title,
        parent_product_code as product_code,
        description,
        sku,
        upc,
        lower(sku_status) as sku_status,
        category_name,
        vendor_name,
        brand_name,

        -- numbers
        moq as minimum_quantity,
        quantity_multiplier,

        -- amounts
        unit_price,
        msrp,
        map as minimum_advertised_price,

        -- deletion
        _deleted_at is not null as is_deleted,
        _deleted_at as deleted_at

    from source

)

select * from renamed
