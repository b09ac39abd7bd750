with

orders as (

    select * from {{ ref('fct_orders') }}

),

vendors as (

    select * from {{ ref('dim_vendors') }}

),

measured as (

    select
        orders.order_id,
        orders.order_number,
        {{ told('orders.vendor_id') }} as vendor_id,
        orders.buyer_id,
        orders.buyer_company_name,
        {{ shipped_to('orders') }} as state,
        coalesce(vendors.vendor_name, orders.vendor_name) as vendor_name,
        orders.ordered_date,
        orders.sub_total,
        orders.vendor_minimum_order_value as minimum_order_value,
        greatest(orders.vendor_minimum_order_value - orders.sub_total, 0) as value_shortfall,
        orders.unit_count,
        vendors.minimum_order_quantity,
        greatest(vendors.minimum_order_quantity - orders.unit_count, 0) as quantity_shortfall
    from orders
    left join vendors on orders.vendor_id = vendors.vendor_id
    where orders.is_sale

),

final as (

    select
        order_id,
        order_number,
        vendor_id,
        vendor_name,
        buyer_id,
        buyer_company_name,
        state,
        ordered_date,
        sub_total,
        minimum_order_value,
        coalesce(value_shortfall, 0) as value_shortfall,
        unit_count,
        minimum_order_quantity,
        coalesce(quantity_shortfall, 0) as quantity_shortfall,
        coalesce(
            sub_total >= {{ var('near_miss_share') }} * minimum_order_value, true
        ) and coalesce(
            unit_count >= {{ var('near_miss_share') }} * minimum_order_quantity, true
        ) as is_near_miss
    from measured
    where value_shortfall > 0
        or quantity_shortfall > 0

)

select * from final
