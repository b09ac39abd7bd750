{{ config(severity='warn') }}

with

orders as (

    select * from {{ ref('fct_orders') }}

),

found as (

    select distinct
        'order_status' as field_name,
        order_status as state
    from orders
    union all
    select distinct
        'payment_status' as field_name,
        payment_status as state
    from orders

)

select
    states.field_name,
    states.state
from {{ states() }} as states
left join found
    on states.field_name = found.field_name
    and states.state = found.state
where states.is_expected
    and found.state is null
