with

source as (

    {{ raw('vendors') }}

),

renamed as (

    select
        -- keys
        id as vendor_id,

        -- text
        name as vendor_name,
        {{ state_name('status') }} as vendor_status,
        shipping_type,
        order_terms,
        order_processing_time,
        order_processing_on,
        order_processing_cut_off_time,
        address1,
        address2,
        city,
        state,
        country,
        zip,
        website,
        email,
        phone,
        ein,
        order_contact_name,
        order_contact_phone,
        payment_contact_name,
        payment_contact_phone,
        description,
        logo,

        -- numbers
        {{ quantity('minimum_order_quantity') }} as minimum_order_quantity,

        -- amounts
        {{ amount('minimum_order_value') }} as minimum_order_value,

        -- maps and lists
        shipping_scheme,
        order_shipping_days,

        -- times
        created_at,
        updated_at,

        -- deletion
        _deleted_at is not null as is_deleted,
        _deleted_at as deleted_at,

        -- what is not believed
        {{ set_aside(
            amounts=['minimum_order_value'],
            quantities=['minimum_order_quantity']
        ) }} as set_aside

    from source

)

select * from renamed
