with

orders as (

    select * from {{ ref('fct_orders') }}
    where is_sale
        and is_return is not true

),

as_of as (

    select * from {{ ref('int_as_of') }}

),

buyer_names as (

    select * from {{ ref('dim_names') }}
    where name_kind = 'buyer'

),

vendor_names as (

    select * from {{ ref('dim_names') }}
    where name_kind = 'vendor'

),

final as (

    select
        orders.order_id,
        orders.order_number,
        orders.buyer_key as buyer_id,
        buyer_names.display_name as buyer_name,
        orders.vendor_key as vendor_id,
        vendor_names.display_name as vendor_name,
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
    left join buyer_names on orders.buyer_key = buyer_names.name_key
    left join vendor_names on orders.vendor_key = vendor_names.name_key

)

select * from final
