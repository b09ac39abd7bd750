-- tests/known_payment_states (warn)
select
    orders.payment_status,
    count(*) as row_count,
    sum(orders.sub_total) as amount
from fct_orders as orders
left join wholesale_build.states as states
    on orders.payment_status = states.state
    and states.field_name = 'payment_status'
where not orders.is_deleted
    and not coalesce(states.is_known, false)
group by orders.payment_status
