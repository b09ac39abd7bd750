with

orders as (

    select
        *,
        {{ told("nullif(shipping_country, '')") }} as country,
        {{ told("nullif(shipping_state, '')") }} as state
    from {{ ref('fct_orders') }}

),

final as (

    select
        {{ key_of(['country', 'state', month_key(month_of('ordered_date'))]) }} as geography_id,
        country,
        state,
        {{ month_of('ordered_date') }} as month_start,
        {{ metric('orders') }} as order_count,
        {{ metric('active_buyers') }} as buyer_count,
        {{ metric('sales') }} as sales_amount,
        {{ metric('billed') }} as billed_amount,
        {{ metric('average_order_value') }} as average_order_value
    from orders
    where is_sale
    group by
        country,
        state,
        {{ month_of('ordered_date') }}

)

select * from final
