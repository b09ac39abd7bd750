with

orders as (

    select * from {{ ref('fct_orders') }}
    where is_sale
        and is_return is not true

),

as_of as (

    select * from {{ ref('int_as_of') }}

),

final as (

    select
        orders.order_id,
        orders.order_number,
        orders.buyer_key as buyer_id,
        orders.buyer_company_name as buyer_name,
        orders.vendor_key as vendor_id,
        orders.vendor_name,
        orders.order_status,
        orders.order_standing,
        orders.payment_status,
        orders.payment_standing,
        orders.sub_total,
        orders.total,
        orders.ordered_at,
        orders.ordered_date,
        orders.invoiced_date,
        cast(
            {{ days_between('orders.ordered_date', 'as_of.as_of_date') }} as bigint
        ) as waiting_days
    from orders
    cross join as_of

)

select * from final
