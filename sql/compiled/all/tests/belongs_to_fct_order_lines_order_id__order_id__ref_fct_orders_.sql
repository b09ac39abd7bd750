-- tests/belongs_to_fct_order_lines_order_id__order_id__ref_fct_orders_ (error)
select
    order_id,
    count(*) as row_count
from fct_order_lines
where order_id is not null
    and order_id not in (select order_id from fct_orders where order_id is not null)
group by order_id
