with

source as (

    {{ raw('variants__observations') }}

),

renamed as (

    select
        -- keys
        id as variant_id,
        parent_id as item_id,

        -- text
        sku,
        {{ state_name('sku_status') }} as sku_status,

        -- amounts
        {{ amount('unit_price') }} as unit_price,
        {{ amount('msrp') }} as msrp,
        {{ amount('map') }} as minimum_advertised_price,

        -- times
        observed_at,

        -- deletion
        _deleted_at is not null as is_deleted

    from source

)

select * from renamed
