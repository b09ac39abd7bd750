{{ observed(
    ref('stg_wholesale__variants'),
    key='variant_id',
    attributes=['item_id', 'sku'],
    resource='variants'
) }}
