{# Orders that wait too long: for somebody to accept them, for a decision, or for the money. #}
with

orders as (

    select * from {{ ref('int_purchases') }}

),

usual as (

    select * from {{ ref('int_confirmations') }}

),

final as (

    select
        'unconfirmed' as task_kind,
        orders.order_id,
        orders.sub_total as amount,
        usual.late_after_days as threshold_days,
        usual.usual_days
    from orders
    cross join usual
    where orders.order_standing = 'waiting'
        and orders.waiting_days > usual.late_after_days
        and orders.waiting_days <= {{ setting('old_order_days') }}
    union all
    select
        'old' as task_kind,
        order_id,
        sub_total as amount,
        {{ setting('old_order_days') }} as threshold_days,
        cast(null as bigint) as usual_days
    from orders
    where order_standing in ('waiting', 'accepted')
        and waiting_days > {{ setting('old_order_days') }}
    union all
    select
        'overdue' as task_kind,
        order_id,
        total as amount,
        case when due_date is null then overdue_days else terms_days end as threshold_days,
        cast(null as bigint) as usual_days
    from {{ ref('rpt_receivables') }}
    where is_overdue

)

select * from final
