{{ observed(
    ref('stg_wholesale__orders'),
    key='order_id',
    attributes=['order_status', 'payment_status', 'invoice_status', 'is_deleted'],
    resource='orders',
    among=ref('int_orders_to_build')
) }}
