with

orders as (

    select * from {{ ref('fct_orders') }}

),

settings as (

    select * from {{ ref('dim_settings') }}

),

as_of as (

    select * from {{ ref('dim_as_of') }}

),

sales as (

    select
        {{ metric('orders') }} as order_count,
        {{ metric('active_buyers') }} as buyer_count,
        {{ metric('units') }} as unit_count,
        {{ metric('lines') }} as line_count,
        {{ metric('sales') }} as sales_amount,
        {{ metric('net_sales') }} as net_sales_amount,
        {{ metric('returns') }} as return_count,
        {{ metric('returned_sales') }} as returned_amount,
        {{ metric('refunded_orders') }} as refunded_order_count,
        {{ metric('refunded_sales') }} as refunded_amount,
        {{ metric('billed') }} as billed_amount,
        {{ metric('discounts') }} as discount_amount,
        {{ metric('fees') }} as fee_amount,
        {{ metric('orders_without_an_amount') }} as missing_amount_count,
        {{ metric('undated_orders') }} as undated_order_count,
        {{ metric('lines_without_a_quantity') }} as lines_without_quantity_count,
        {{ metric('lines_without_an_amount') }} as lines_without_amount_count,
        {{ metric('average_order_value') }} as average_order_value,
        {{ metric('units_per_order') }} as units_per_order,
        {{ metric('lines_per_order') }} as lines_per_order,
        {{ metric('discount_rate') }} as discount_rate,
        {{ metric('fee_rate') }} as fee_rate,
        {{ metric('below_minimum_value_rate') }} as below_minimum_value_rate
    from orders

),

final as (

    select
        as_of.as_of_date,
        as_of.figures_from,
        as_of.figures_up_to,
        as_of.last_ordered_date,
        as_of.synced_at,
        as_of.quiet_day_count,
        settings.currency,
        settings.time_zone,
        sales.order_count,
        sales.buyer_count,
        sales.unit_count,
        sales.line_count,
        sales.sales_amount,
        sales.net_sales_amount,
        sales.return_count,
        sales.returned_amount,
        sales.refunded_order_count,
        sales.refunded_amount,
        sales.billed_amount,
        sales.discount_amount,
        sales.fee_amount,
        sales.missing_amount_count,
        sales.undated_order_count,
        sales.lines_without_quantity_count,
        sales.lines_without_amount_count,
        sales.average_order_value,
        sales.units_per_order,
        sales.lines_per_order,
        sales.discount_rate,
        sales.fee_rate,
        sales.below_minimum_value_rate
    from sales
    cross join settings
    cross join as_of

)

select * from final
