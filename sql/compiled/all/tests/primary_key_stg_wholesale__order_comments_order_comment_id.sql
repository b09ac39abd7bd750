-- tests/primary_key_stg_wholesale__order_comments_order_comment_id (error)
select
    order_comment_id,
    count(*) as row_count
from stg_wholesale__order_comments
group by order_comment_id
having count(*) > 1
    or order_comment_id is null
