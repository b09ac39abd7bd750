{{ validity(ref('obs_vendors'), 'vendor_id', [
    'minimum_order_value', 'minimum_order_quantity'
], changing='minimum_order_quantity') }}
