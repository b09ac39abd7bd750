-- tests/known_order_states (warn)
select
    orders.order_status,
    count(*) as row_count,
    sum(orders.sub_total) as amount
from fct_orders as orders
left join wholesale_build.states as states
    on orders.order_status = states.state
    and states.field_name = 'order_status'
where not orders.is_deleted
    and not coalesce(states.is_known, false)
group by orders.order_status
