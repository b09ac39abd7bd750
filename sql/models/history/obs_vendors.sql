{{ observed(
    standing=ref('stg_wholesale__vendors'),
    noted=ref('stg_wholesale__vendor_observations'),
    key='vendor_id',
    attributes=['minimum_order_value', 'minimum_order_quantity'],
    resource='vendors'
) }}
