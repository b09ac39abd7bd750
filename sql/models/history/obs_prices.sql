{{ observed(
    standing=ref('stg_wholesale__prices'),
    noted=ref('stg_wholesale__price_observations'),
    key='price_id',
    attributes=['price_list_id', 'variant_id', 'item_id', 'unit_price', 'is_deleted'],
    resource='prices'
) }}
