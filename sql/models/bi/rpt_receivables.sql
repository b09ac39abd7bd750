with

orders as (

    select * from {{ ref('int_purchases') }}

),

final as (

    select
        order_id,
        order_number,
        buyer_id,
        buyer_name,
        vendor_id,
        vendor_name,
        order_status,
        order_standing,
        payment_status,
        payment_standing,
        total,
        ordered_date,
        waiting_days as age_in_days,
        case when waiting_days is null then 'undated' else {{ age_bucket('waiting_days') }} end
            as age_bucket,
        payment_standing = 'open' and order_standing <> 'unknown' as is_open,
        payment_standing = 'open' and order_standing <> 'unknown'
        and coalesce(waiting_days > {{ setting('overdue_days') }}, false) as is_overdue,
        {{ setting('overdue_days') }} as overdue_days
    from orders
    where payment_standing = 'unknown'
        or (payment_standing = 'open' and order_standing in ('sent', 'done', 'unknown'))

)

select * from final
