with

buyers as (

    select * from {{ ref('int_call_buyers') }}

),

order_comments as (

    select * from {{ ref('fct_order_comments') }}
    where commented_at is not null
        and not is_deleted

),

numbered as (

    select
        order_comments.*,
        row_number() over (
            partition by order_comments.buyer_id
            order by
                order_comments.commented_at desc,
                {{ by_code_points('order_comments.order_id') }} desc,
                order_comments.comment_number desc
        ) as place
    from buyers
    inner join order_comments on buyers.buyer_id = order_comments.buyer_id

),

final as (

    select
        numbered.buyer_id,
        numbered.order_comment_id,
        numbered.commented_at,
        numbered.order_id,
        orders.order_number
    from numbered
    inner join {{ ref('fct_orders') }} as orders on numbered.order_id = orders.order_id
    where numbered.place = 1

)

select * from final
