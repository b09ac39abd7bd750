-- tests/orders_without_an_amount (warn)
select
    order_id,
    order_number,
    sub_total,
    total
from rpt_orders
where sub_total is null
    or total is null
