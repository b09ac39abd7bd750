-- tests/primary_key_fct_order_comments_order_comment_id (error)
select
    order_comment_id,
    count(*) as row_count
from fct_order_comments
group by order_comment_id
having count(*) > 1
    or order_comment_id is null
