with

source as (

    {{ raw('prices') }}

),

renamed as (

    select
        -- keys
        id as price_id,
        price_list_id,
        variant_id,
        item_id,

        -- text
        {{ currency_code('currency') }} as currency,

        -- amounts
        {{ amount('unit_price') }} as unit_price,

        -- times
        created_at,
        updated_at,

        -- deletion
        _deleted_at is not null as is_deleted,
        _deleted_at as deleted_at,

        -- what is not believed
        {{ set_aside(amounts=['unit_price']) }} as set_aside

    from source

)

select * from renamed
