{{ observed(
    standing=ref('stg_wholesale__orders'),
    noted=ref('stg_wholesale__order_observations'),
    key='order_id',
    attributes=['order_status', 'payment_status', 'invoice_status', 'is_deleted'],
    resource='orders'
) }}
