with

orders as (

    select
        *,
        {{ told("nullif(fct_orders.shipping_country, '')") }} as country,
        {{ told("nullif(fct_orders.shipping_state, '')") }} as region,
        {{ shipped_to('fct_orders') }} as state,
        {{ known_month_of('fct_orders.ordered_date') }} as month_start
    from {{ ref('fct_orders') }} as fct_orders

),

final as (

    select
        {{ key_of(['country', 'region', month_key('month_start')]) }} as geography_id,
        country as shipping_country,
        region as shipping_state,
        state,
        month_start,
        {{ is_month_finished('month_start') }} as is_month_finished,
        {{ seen_days_of('month_start') }} as seen_day_count,
        {{ metric('orders') }} as order_count,
        {{ metric('active_buyers') }} as buyer_count,
        {{ metric('sales') }} as sales_amount,
        {{ metric('billed') }} as billed_amount,
        {{ metric('average_order_value') }} as average_order_value
    from orders
    where is_sale
    group by
        country,
        region,
        state,
        month_start

)

select * from final
