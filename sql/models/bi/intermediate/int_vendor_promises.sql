with

orders as (

    select
        {{ told('orders.vendor_id') }} as vendor_id,
        {{ known_month_of('orders.ordered_date') }} as month_start,
        fulfilment.promise
    from {{ ref('rpt_fulfilment') }} as fulfilment
    inner join {{ ref('fct_orders') }} as orders on fulfilment.order_id = orders.order_id

),

final as (

    select
        vendor_id || '-' || {{ month_key('month_start') }} as vendor_month_id,
        vendor_id,
        month_start,
        {{ metric('promise_kept_rate') }} as promise_kept_rate,
        {{ metric('promises_judged') }} as promise_judged_count,
        {{ metric('promises_unknown') }} as promise_unknown_count
    from orders
    group by
        vendor_id,
        month_start

)

select * from final
