with

by_age as (

    select
        age_bucket,
        sum(order_count) as order_count,
        sum(open_amount) as open_amount,
        sum(open_without_total_count) as open_without_total_count,
        sum(unknown_without_total_count) as unknown_without_total_count,
        sum(unknown_order_count) as unknown_order_count,
        {{ known_sum('unknown_amount', 'unknown_order_count') }} as unknown_amount,
        min(oldest_ordered_date) as oldest_ordered_date
    from {{ ref('rpt_payment_ageing') }}
    group by age_bucket

),

open_orders as (

    select
        age_bucket,
        order_count,
        open_amount,
        open_without_total_count,
        unknown_without_total_count,
        unknown_order_count,
        unknown_amount,
        oldest_ordered_date
    from {{ ref('rpt_open_orders_totals') }}
    where vendor_id = 'all'
        and state = 'all'
        and age_bucket <> 'all'

)

select
    by_age.age_bucket,
    by_age.order_count,
    by_age.open_amount,
    by_age.oldest_ordered_date,
    open_orders.age_bucket as other_age_bucket,
    open_orders.order_count as other_order_count,
    open_orders.open_amount as other_open_amount,
    open_orders.oldest_ordered_date as other_oldest_ordered_date
from by_age
full join open_orders on by_age.age_bucket = open_orders.age_bucket
where by_age.order_count is distinct from open_orders.order_count
    or by_age.open_amount is distinct from open_orders.open_amount
    or by_age.oldest_ordered_date is distinct from open_orders.oldest_ordered_date
    or by_age.unknown_order_count is distinct from open_orders.unknown_order_count
    or by_age.unknown_amount is distinct from open_orders.unknown_amount
    or by_age.open_without_total_count is distinct from open_orders.open_without_total_count
    or by_age.unknown_without_total_count is distinct from open_orders.unknown_without_total_count
