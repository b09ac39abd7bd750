with

versions as (

    {{ validity(ref('obs_prices'), 'price_id', [
        'price_list_id', 'variant_id', 'item_id', 'unit_price', 'is_deleted'
    ], changing='unit_price') }}

),

prices as (

    select * from {{ ref('stg_wholesale__prices') }}

),

final as (

    select
        versions.price_version_id,
        versions.price_id,
        versions.version_number,
        versions.price_list_id,
        versions.variant_id,
        versions.item_id,
        versions.unit_price,
        versions.is_deleted,
        versions.unit_price_change,
        versions.valid_from,
        versions.valid_to,
        versions.is_current,
        prices.created_at as price_created_at,
        prices.updated_at as price_updated_at
    from versions
    left join prices on versions.price_id = prices.price_id

)

select * from final
