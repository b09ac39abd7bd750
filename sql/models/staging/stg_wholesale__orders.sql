with

source as (

    {{ raw('orders') }}

),

renamed as (

    select
        -- keys
        id as order_id,
        vendor_id,
        buyer_id,
        buyer_user_id,

        -- text
        order_number,
        po_number,
        vendor_name,
        buyer_company_name,
        {{ state_name('status') }} as order_status,
        {{ state_name('payment_status') }} as payment_status,
        {{ state_name('invoice_status') }} as invoice_status,
        billing_payment_method_type as payment_method_type,
        shipping_name,
        shipping_email,
        shipping_company,
        shipping_phone,
        shipping_address1,
        shipping_address2,
        shipping_city,
        shipping_state,
        shipping_country,
        shipping_zip,
        billing_name,
        billing_email,
        billing_company,
        billing_phone,
        billing_address1,
        billing_address2,
        billing_city,
        billing_state,
        billing_country,
        billing_zip,
        {{ currency_code('currency') }} as currency,

        -- amounts
        {{ amount('sub_total') }} as sub_total,
        {{ amount('total') }} as total,
        {{ amount('order_line_items_discount_amount') }} as line_discount_amount,
        {{ amount('transaction_fee') }} as transaction_fee,
        {{ amount('vendor_minimum_order_value') }} as vendor_minimum_order_value,

        -- times
        created_at as ordered_at,
        invoice_generated_at as invoiced_at,
        updated_at,

        -- deletion
        _deleted_at is not null as is_deleted,
        _deleted_at as deleted_at,

        -- what is not believed
        {{ set_aside(amounts=[
            'sub_total', 'total', 'order_line_items_discount_amount', 'transaction_fee',
            'vendor_minimum_order_value'
        ]) }} as set_aside

    from source

)

select * from renamed
