with

source as (

    {{ raw('orders__order_line_items') }}

),

renamed as (

    select
        -- keys
        order_id || '-' || line_number as order_line_id,
        order_id,
        item_id,
        variant_id,

        -- text
        sku,
        title as item_title,
        variant as variant_title,
        categoy_name as category_name,
        vendor_name,

        -- numbers
        line_number,
        {{ quantity('quantity') }} as quantity,

        -- amounts
        {{ amount('unit_price') }} as unit_price,
        {{ amount('total_price') }} as total_price,
        {{ amount('discount_amount') }} as discount_amount,

        -- what is not believed
        {{ set_aside(
            amounts=['unit_price', 'total_price', 'discount_amount'],
            quantities=['quantity']
        ) }} as set_aside

    from source

)

select * from renamed
