with

orders as (

    select * from {{ ref('int_purchases') }}

),

first_seen as (

    select * from {{ ref('int_order_moves') }}

),

promises as (

    select * from {{ ref('int_order_promises') }}

),

final as (

    select
        orders.order_id,
        orders.order_number,
        orders.buyer_id,
        orders.buyer_name,
        orders.vendor_id,
        orders.vendor_name,
        orders.order_status,
        orders.order_standing,
        orders.payment_standing,
        orders.sub_total,
        orders.ordered_date,
        orders.waiting_days,
        {%- for standing in ['accepted', 'sent', 'done', 'settled'] %}
        first_seen.{{ standing }}_date,
        cast(
            {{ days_between('orders.ordered_date', 'first_seen.' ~ standing ~ '_date') }} as bigint
        ) as days_to_{{ standing }},
        {%- endfor %}
        promises.promised_date,
        promises.known_unsent_date,
        promises.known_sent_date,
        promises.promise,
        orders.order_standing in ('waiting', 'accepted') as is_waiting,
        orders.waiting_days > {{ setting('old_order_days') }} as is_old,
        orders.waiting_days <= {{ setting('done_days') }} as is_recent
    from orders
    left join first_seen on orders.order_id = first_seen.order_id
    left join promises on orders.order_id = promises.order_id

)

select * from final
