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
        {{ state_name('sku_status') }} as sku_status,
        category_name,
        vendor_name,
        brand_name,

        -- numbers
        {{ quantity('moq') }} as minimum_quantity,
        {{ quantity('quantity_multiplier') }} as quantity_multiplier,

        -- amounts
        {{ amount('unit_price') }} as unit_price,
        {{ amount('msrp') }} as msrp,
        {{ amount('map') }} as minimum_advertised_price,

        -- deletion
        _deleted_at is not null as is_deleted,
        _deleted_at as deleted_at,

        -- what is not believed
        {{ set_aside(
            amounts=['unit_price', 'msrp', 'map'],
            quantities=['moq', 'quantity_multiplier']
        ) }} as set_aside

    from source

)

select * from renamed
