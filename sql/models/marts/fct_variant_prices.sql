{{ validity(ref('obs_variants'), 'variant_id', [
    'unit_price', 'msrp', 'minimum_advertised_price', 'sku_status', 'is_deleted'
], changing='unit_price') }}
