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
        {{ state_name('status') }} as item_status,
        category_name,
        vendor_name,
        brand_name,
        {{ currency_code('currency') }} as currency,

        -- numbers
        {{ quantity('moq') }} as minimum_quantity,
        {{ quantity('quantity_multiplier') }} as quantity_multiplier,
        variants_count as variant_count,

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
