{{ validity(ref('obs_prices'), 'price_id', [
    'price_list_id', 'variant_id', 'item_id', 'unit_price', 'is_deleted'
], changing='unit_price') }}
