{{ observed(
    standing=ref('stg_wholesale__variants'),
    noted=ref('stg_wholesale__variant_observations'),
    key='variant_id',
    attributes=['item_id', 'sku'],
    resource='variants'
) }}
