with

orders as (

    select
        fct_orders.*,
        {{ told('fct_orders.vendor_id') }} as vendor,
        {{ shipped_to('fct_orders') }} as state
    from {{ ref('fct_orders') }} as fct_orders
    where fct_orders.is_sale

),

dates as (

    select * from {{ ref('dim_dates') }}

),

period_spans as (

    select * from {{ ref('int_period_spans') }}

),

{# Sums of a day and buyer are added up again; only different buyers cannot be. #}
by_day as (

    select
        ordered_date,
        vendor,
        state,
        buyer_id,
        {{ metric('orders') }} as order_count,
        {{ metric('units') }} as unit_count,
        {{ metric('sales') }} as sales_amount,
        {{ metric('net_sales') }} as net_sales_amount,
        {{ metric('billed') }} as billed_amount,
        {{ metric('refunded_sales') }} as refunded_amount,
        {{ metric('discounts') }} as discount_amount,
        {{ metric('orders_below_minimum') }} as below_minimum_count
    from orders
    group by
        ordered_date,
        vendor,
        state,
        buyer_id

),

span_days as (

    select distinct
        period_spans.span_number,
        dates.date_day
    from period_spans
    inner join dates on dates.date_day between period_spans.first_day and period_spans.last_day
    where period_spans.span_number > 0

),

{# Orders without a date belong to no day, but to all time. #}
spanned as (

    select
        span_days.span_number,
        by_day.*
    from by_day
    inner join span_days on by_day.ordered_date = span_days.date_day
    union all
    select
        0 as span_number,
        by_day.*
    from by_day

),

final as (

    select
        span_number,
        coalesce(vendor, 'all') as vendor_id,
        coalesce(state, 'all') as state,
        cast(sum(order_count) as bigint) as order_count,
        count(distinct buyer_id) as buyer_count,
        cast(sum(unit_count) as bigint) as unit_count,
        sum(sales_amount) as sales_amount,
        sum(net_sales_amount) as net_sales_amount,
        sum(billed_amount) as billed_amount,
        sum(refunded_amount) as refunded_amount,
        sum(discount_amount) as discount_amount,
        cast(sum(below_minimum_count) as bigint) as below_minimum_count
    from spanned
    group by span_number, cube (vendor, state)

)

select * from final
