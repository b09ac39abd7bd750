with

orders as (

    select * from {{ ref('fct_orders') }}
    where not is_deleted

),

meanings as (

    select * from {{ states() }}
    where not is_past

),

found as (

    select
        'order_status' as field_name,
        nullif(order_status, '') as state,
        count(*) as order_count,
        sum(coalesce(sub_total, total)) as amount
    from orders
    group by nullif(order_status, '')
    union all
    select
        'payment_status' as field_name,
        nullif(payment_status, '') as state,
        count(*) as order_count,
        sum(total) as amount
    from orders
    group by nullif(payment_status, '')

),

final as (

    select
        coalesce(found.field_name, meanings.field_name) || '-'
        || coalesce(found.state, meanings.state, '') as order_state_id,
        coalesce(found.field_name, meanings.field_name) as field_name,
        coalesce(found.state, meanings.state) as state,
        coalesce(meanings.standing, 'unknown') as standing,
        coalesce(found.order_count, 0) as order_count,
        case when found.field_name is null then 0 else found.amount end as amount
    from found
    full join meanings
        on found.field_name = meanings.field_name
        and found.state = meanings.state

)

select * from final
