with

source as (

    {{ raw('items') }}

),

renamed as (

    select
        -- keys
        id as item_id,
        vendor_id,
        brand_id,
        category_id,

        -- text
        title as item_title,
        description,
        product_code,
        sku,
        upc,
        lower(status) as item_status,
        category_name,
        vendor_name,
        brand_name,

        -- numbers
        moq as minimum_quantity,
        quantity_multiplier,
        variants_count as variant_count,

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
