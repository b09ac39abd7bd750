with

days as (

    select distinct
        date_day,
        part_day
    from {{ ref('int_span_days') }}

),

orders as (

    select
        fct_orders.*,
        {{ told('fct_orders.vendor_id') }} as vendor,
        {{ shipped_to('fct_orders') }} as state,
        days.part_day
    from {{ ref('fct_orders') }} as fct_orders
    left join days on fct_orders.ordered_date = days.date_day
    where fct_orders.is_sale

),

span_parts as (

    select distinct
        span_number,
        part_day
    from {{ ref('int_span_days') }}

),

{# Sums by part and buyer can be added up for each span. Only the number of different buyers cannot:
they are counted for each span, by short keys. #}
by_part as (

    select
        part_day,
        vendor,
        state,
        {{ compact('buyer_id') }} as buyer_key,
        {{ metric('orders') }} as order_count,
        {{ metric('orders_with_an_amount') }} as priced_order_count,
        {{ metric('units') }} as unit_count,
        {{ metric('sales') }} as sales_amount,
        {{ metric('sales_before_discounts') }} as undiscounted_sales_amount,
        {{ metric('net_sales') }} as net_sales_amount,
        {{ metric('billed') }} as billed_amount,
        {{ metric('refunded_orders') }} as refunded_order_count,
        {{ metric('refunded_sales') }} as refunded_amount,
        {{ metric('discounts') }} as discount_amount,
        {{ metric('orders_below_minimum_value') }} as below_minimum_value_count
    from orders
    group by
        part_day,
        vendor,
        state,
        {{ compact('buyer_id') }}

),

{# Orders without a date are in no part, but in all time. #}
spanned as (

    select
        span_parts.span_number,
        by_part.*
    from by_part
    inner join span_parts on by_part.part_day = span_parts.part_day
    union all
    select
        0 as span_number,
        by_part.*
    from by_part

),

final as (

    select
        span_number,
        coalesce(vendor, 'all') as vendor_id,
        coalesce(state, 'all') as state,
        cast(sum(order_count) as bigint) as order_count,
        count(distinct buyer_key) as buyer_count,
        cast(sum(priced_order_count) as bigint) as priced_order_count,
        cast(sum(unit_count) as bigint) as unit_count,
        sum(sales_amount) as sales_amount,
        sum(undiscounted_sales_amount) as undiscounted_sales_amount,
        sum(net_sales_amount) as net_sales_amount,
        sum(billed_amount) as billed_amount,
        {{ known_sum('refunded_amount', 'refunded_order_count') }} as refunded_amount,
        sum(discount_amount) as discount_amount,
        cast(sum(below_minimum_value_count) as bigint) as below_minimum_value_count
    from spanned
    group by span_number, cube (vendor, state)

)

select * from final
