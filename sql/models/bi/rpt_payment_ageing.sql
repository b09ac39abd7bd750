with

orders as (

    select * from {{ ref('fct_orders') }}

),

as_of as (

    select * from {{ ref('dim_as_of') }}

),

open_orders as (

    select
        coalesce(orders.buyer_id, 'unknown') as buyer_id,
        orders.buyer_company_name,
        orders.total,
        orders.ordered_date,
        as_of.as_of_date - orders.ordered_date as age_in_days,
        as_of.as_of_date
    from orders
    cross join as_of
    where orders.is_sale
        and not {{ is_settled('orders.payment_status') }}

),

bucketed as (

    select
        *,
        {{ age_bucket('age_in_days') }} as age_bucket
    from open_orders

),

final as (

    select
        buyer_id || '-' || age_bucket as payment_ageing_id,
        buyer_id,
        max(buyer_company_name) as buyer_company_name,
        age_bucket,
        count(*) as order_count,
        sum(total) as open_amount,
        min(ordered_date) as oldest_ordered_date,
        max(as_of_date) as as_of_date
    from bucketed
    group by
        buyer_id,
        age_bucket

)

select * from final
