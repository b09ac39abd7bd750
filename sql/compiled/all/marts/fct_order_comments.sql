-- marts/fct_order_comments (table)
--   order_comment_id text
--   order_id text
--   comment_number bigint
--   vendor_id text
--   buyer_id text
--   author text
--   body text
--   is_deleted boolean
--   commented_at timestamptz
--   ordered_at timestamptz
with

order_comments as (

    select * from stg_wholesale__order_comments

),

orders as (

    select * from int_orders

),

final as (

    select
        order_comments.order_comment_id,
        order_comments.order_id,
        order_comments.comment_number,
        orders.vendor_id,
        orders.buyer_id,
        order_comments.author,
        order_comments.body,
        orders.is_deleted,
        order_comments.commented_at,
        orders.plausible_ordered_at as ordered_at
    from order_comments
    inner join orders on order_comments.order_id = orders.order_id

)

select * from final
