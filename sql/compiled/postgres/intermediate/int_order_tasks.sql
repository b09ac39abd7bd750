-- intermediate/int_order_tasks (table)
with

orders as (

    select * from int_purchases

),

usual as (

    select * from int_confirmations

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
        and orders.waiting_days <= (select build.old_order_days from wholesale_build.settings as build)
    union all
    select
        'old' as task_kind,
        order_id,
        sub_total as amount,
        (select build.old_order_days from wholesale_build.settings as build) as threshold_days,
        cast(null as bigint) as usual_days
    from orders
    where order_standing in ('waiting', 'accepted')
        and waiting_days > (select build.old_order_days from wholesale_build.settings as build)
    union all
    select
        'overdue' as task_kind,
        order_id,
        total as amount,
        overdue_days as threshold_days,
        cast(null as bigint) as usual_days
    from rpt_receivables
    where is_overdue

)

select * from final
