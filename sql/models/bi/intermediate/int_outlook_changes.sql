{# What has been learnt of sales since they were claimed, by orders that were found, edited,
cancelled, deleted or back. #}
with

claims as (

    select distinct
        set_date,
        seen_until
    from {{ ref('int_outlook_claims') }}
    where seen_until is not null

),

{# What is new was known on its day. #}
changes as (

    select
        order_id,
        observed_at,
        coalesce(amount_effect, 0) as amount_effect,
        sale_effect,
        told_effect
    from {{ ref('int_order_events') }}
    where event_kind <> 'new'
        and (amount_effect <> 0 or sale_effect <> 0 or told_effect <> 0)

),

final as (

    select
        claims.set_date,
        orders.dimension,
        orders.member,
        orders.ordered_date,
        sum(changes.amount_effect) as amount_effect,
        cast(sum(changes.sale_effect) as bigint) as sale_effect,
        cast(sum(changes.told_effect) as bigint) as told_effect
    from changes
    inner join claims on changes.observed_at > claims.seen_until
    inner join {{ ref('int_outlook_orders') }} as orders
        on changes.order_id = orders.order_id
        and claims.set_date >= orders.ordered_date
    group by claims.set_date, orders.dimension, orders.member, orders.ordered_date

)

select * from final
