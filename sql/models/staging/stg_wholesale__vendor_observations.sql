with

source as (

    {{ raw('vendors__observations') }}

),

renamed as (

    select
        -- keys
        id as vendor_id,

        -- numbers
        {{ quantity('minimum_order_quantity') }} as minimum_order_quantity,

        -- amounts
        {{ amount('minimum_order_value') }} as minimum_order_value,

        -- times
        observed_at,

        -- deletion
        _deleted_at is not null as is_deleted

    from source

)

select * from renamed
