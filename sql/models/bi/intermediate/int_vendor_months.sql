with

orders as (

    select
        {{ told('orders.vendor_id') }} as vendor_id,
        {{ known_month_of('orders.ordered_date') }} as month_start,
        fulfilment.promise
    from {{ ref('rpt_fulfilment') }} as fulfilment
    inner join {{ ref('fct_orders') }} as orders on fulfilment.order_id = orders.order_id

),

promises as (

    select
        vendor_id,
        month_start,
        {{ metric('promise_kept_rate') }} as promise_kept_rate,
        {{ metric('promises_judged') }} as promise_judged_count,
        {{ metric('promises_unknown') }} as promise_unknown_count
    from orders
    group by
        vendor_id,
        month_start

),

new_buyers as (

    select
        vendor_id,
        month_start,
        count(*) as new_buyer_count
    from {{ ref('int_first_orders') }}
    group by
        vendor_id,
        month_start

),

final as (

    select
        promises.vendor_id || '-' || {{ month_key('promises.month_start') }} as vendor_month_id,
        promises.vendor_id,
        promises.month_start,
        promises.promise_kept_rate,
        promises.promise_judged_count,
        promises.promise_unknown_count,
        coalesce(new_buyers.new_buyer_count, 0) as new_buyer_count
    from promises
    left join new_buyers
        on promises.vendor_id = new_buyers.vendor_id
        and promises.month_start is not distinct from new_buyers.month_start

)

select * from final
