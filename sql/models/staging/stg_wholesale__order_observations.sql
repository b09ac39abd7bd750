with

source as (

    {{ raw('orders__observations') }}

),

renamed as (

    select
        -- keys
        id as order_id,

        -- text
        {{ state_name('status') }} as order_status,
        {{ state_name('payment_status') }} as payment_status,
        {{ state_name('invoice_status') }} as invoice_status,

        -- times
        observed_at,

        -- deletion
        _deleted_at is not null as is_deleted

    from source

)

select * from renamed
