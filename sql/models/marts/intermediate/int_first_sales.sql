{{ config(materialized='view') }}

with

orders as (

    select * from {{ ref('int_orders') }}
    where is_sale
        and buyer_id is not null

),

final as (

    select
        buyer_id,
        {{ business_date('min(plausible_ordered_at)') }} as first_ordered_date
    from orders
    group by buyer_id

)

select * from final
