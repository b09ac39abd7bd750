with

source as (

    {{ raw('prices__observations') }}

),

renamed as (

    select
        -- keys
        id as price_id,
        price_list_id,
        variant_id,
        item_id,

        -- amounts
        {{ amount('unit_price') }} as unit_price,

        -- times
        observed_at,

        -- deletion
        _deleted_at is not null as is_deleted

    from source

)

select * from renamed
