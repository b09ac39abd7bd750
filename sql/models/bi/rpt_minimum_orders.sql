with

orders as (

    select * from {{ ref('fct_orders') }}

),

vendors as (

    select * from {{ ref('dim_vendors') }}

),

minimums as (

    select * from {{ ref('fct_vendor_minimums') }}

),

{# A minimum that never changed is that of any time. #}
held_against as (

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
        orders.unit_count,
        case
            when minimums.vendor_id is not null then minimums.minimum_order_quantity
            else vendors.minimum_order_quantity
        end as minimum_order_quantity,
        minimums.vendor_id is not null as is_minimum_as_of_order
    from orders
    left join vendors on orders.vendor_id = vendors.vendor_id
    left join minimums
        on orders.vendor_id = minimums.vendor_id
        and (
            orders.ordered_at >= minimums.valid_from
            or (minimums.version_number = 1 and minimums.is_current)
        )
        and coalesce(orders.ordered_at < minimums.valid_to, true)
    where orders.is_sale

),

measured as (

    select
        *,
        greatest(minimum_order_value - sub_total, 0) as value_shortfall,
        greatest(minimum_order_quantity - unit_count, 0) as quantity_shortfall
    from held_against

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
        ) as is_near_miss,
        is_minimum_as_of_order
    from measured
    where value_shortfall > 0
        or quantity_shortfall > 0

)

select * from final
