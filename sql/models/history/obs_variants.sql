{{ observed(
    standing=ref('stg_wholesale__variants'),
    noted=ref('stg_wholesale__variant_observations'),
    key='variant_id',
    attributes=['unit_price', 'msrp', 'minimum_advertised_price', 'sku_status', 'is_deleted'],
    resource='variants'
) }}
