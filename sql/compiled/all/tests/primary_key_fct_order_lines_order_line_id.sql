-- tests/primary_key_fct_order_lines_order_line_id (error)
select
    order_line_id,
    count(*) as row_count
from fct_order_lines
group by order_line_id
having count(*) > 1
    or order_line_id is null
