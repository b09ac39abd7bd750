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
        coalesce(sales.order_count, 0) as order_count,
        sales.buyer_count,
        coalesce(sales.unit_count, 0) as unit_count,
        coalesce(sales.line_count, 0) as line_count,
        coalesce(sales.sales_amount, 0) as sales_amount,
        coalesce(sales.net_sales_amount, 0) as net_sales_amount,
        coalesce(sales.return_count, 0) as return_count,
        coalesce(sales.returned_amount, 0) as returned_amount,
        coalesce(sales.refunded_order_count, 0) as refunded_order_count,
        coalesce(sales.refunded_amount, 0) as refunded_amount,
        coalesce(sales.billed_amount, 0) as billed_amount,
        sales.discount_amount,
        sales.fee_amount,
        coalesce(sales.missing_amount_count, 0) as missing_amount_count,
        coalesce(sales.undated_order_count, 0) as undated_order_count,
        coalesce(sales.lines_without_quantity_count, 0) as lines_without_quantity_count,
        coalesce(sales.lines_without_amount_count, 0) as lines_without_amount_count,
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
