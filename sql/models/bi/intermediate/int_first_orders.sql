with

orders as (

    select
        *,
        {{ told('vendor_id') }} as vendor
    from {{ ref('fct_orders') }}
    where is_sale
        and is_return is not true
        and buyer_id is not null

),

firsts as (

    select
        vendor as vendor_id,
        buyer_id,
        min(ordered_date) as first_ordered_date
    from orders
    group by
        vendor,
        buyer_id

),

final as (

    select
        vendor_id,
        buyer_id,
        {{ known_month_of('first_ordered_date') }} as month_start
    from firsts

)

select * from final
