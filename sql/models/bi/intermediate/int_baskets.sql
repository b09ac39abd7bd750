with

orders as (

    select
        order_id,
        {{ told('vendor_key') }} as vendor_id
    from {{ ref('fct_orders') }}
    where is_sale
        and is_return is not true

),

final as (

    select
        orders.order_id,
        orders.vendor_id,
        count(*) as product_count
    from orders
    inner join {{ ref('fct_order_lines') }} as order_lines on orders.order_id = order_lines.order_id
    where order_lines.is_first_of_product
    group by
        orders.order_id,
        orders.vendor_id

)

select * from final
