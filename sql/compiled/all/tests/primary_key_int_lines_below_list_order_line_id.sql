-- tests/primary_key_int_lines_below_list_order_line_id (error)
select
    order_line_id,
    count(*) as row_count
from int_lines_below_list
group by order_line_id
having count(*) > 1
    or order_line_id is null
