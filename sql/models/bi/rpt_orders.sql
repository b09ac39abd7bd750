with

orders as (

    select
        fct_orders.*,
        {{ shipped_to('fct_orders') }} as state
    from {{ ref('fct_orders') }} as fct_orders
    where fct_orders.is_sale

),

as_of as (

    select * from {{ ref('int_as_of') }}

),

final as (

    select
        orders.order_id,
        orders.order_number,
        orders.ordered_date,
        {{ told('orders.vendor_id') }} as vendor_id,
        orders.vendor_name,
        orders.buyer_id,
        orders.buyer_company_name,
        orders.state,
        orders.order_status,
        orders.payment_status,
        orders.sub_total,
        orders.total,
        orders.unit_count,
        orders.is_return,
        orders.order_standing,
        orders.payment_standing,
        orders.payment_standing = 'open' as is_open,
        cast(
            {{ days_between('orders.ordered_date', 'as_of.as_of_date') }} as bigint
        ) as age_in_days,
        {{ age_bucket(days_between('orders.ordered_date', 'as_of.as_of_date')) }} as age_bucket,
        coalesce(
            orders.sub_total < orders.vendor_minimum_order_value and orders.is_return is not true,
            false
        ) as is_below_minimum_value
    from orders
    cross join as_of

)

select * from final
