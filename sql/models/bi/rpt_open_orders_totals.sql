with

open_orders as (

    select * from {{ ref('int_open_orders') }}

),

final as (

    select
        open_orders_id,
        vendor_id,
        vendor_name,
        state,
        age_bucket,
        order_count,
        open_amount,
        open_without_total_count,
        oldest_ordered_date,
        unknown_order_count,
        unknown_amount,
        unknown_without_total_count
    from open_orders
    where vendor_id = 'all'
        or state = 'all'
        or age_bucket = 'all'

)

select * from final
