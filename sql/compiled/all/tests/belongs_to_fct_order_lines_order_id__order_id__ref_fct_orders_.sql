-- tests/belongs_to_fct_order_lines_order_id__order_id__ref_fct_orders_ (error)
select
    child.order_id,
    count(*) as row_count
from fct_order_lines as child
where child.order_id is not null
    and not exists (select 1 from fct_orders as parent where parent.order_id = child.order_id)
group by child.order_id
