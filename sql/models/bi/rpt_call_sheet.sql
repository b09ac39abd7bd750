with

buyers as (

    select * from {{ ref('int_call_buyers') }}

),

usual as (

    select
        buyer_id,
        count(*) as usual_product_count,
        count(*) filter (where is_left_out) as left_out_product_count
    from {{ ref('int_usual_products') }}
    group by buyer_id

),

likes as (

    select
        buyer_id,
        count(*) as like_buyer_count
    from {{ ref('int_like_buyers') }}
    group by buyer_id

),

owed as (

    select * from {{ ref('int_receivables_by_buyer') }}
    where due_bucket = 'all'

),

final as (

    select
        buyers.buyer_id,
        reorders.company_name as buyer_name,
        buyers.call_reason,
        buyers.position,
        reorders.account_manager_id,
        reorders.purchase_count,
        reorders.median_days_between_orders,
        reorders.late_after_days,
        reorders.has_late_percentile,
        reorders.last_ordered_date,
        reorders.expected_next_order_date,
        reorders.days_since_last_order,
        reorders.monthly_amount,
        buyers.order_id,
        buyers.order_number,
        buyers.basket_amount,
        coalesce(usual.usual_product_count, 0) as usual_product_count,
        coalesce(usual.left_out_product_count, 0) as left_out_product_count,
        coalesce(likes.like_buyer_count, 0) as like_buyer_count,
        coalesce(owed.order_count, 0) as owed_order_count,
        case when owed.buyer_id is null then 0 else owed.open_amount end as owed_amount,
        coalesce(owed.open_without_total_count, 0) as owed_without_total_count,
        coalesce(owed.overdue_order_count, 0) as overdue_order_count,
        coalesce(owed.unknown_order_count, 0) as unknown_order_count,
        last_comments.commented_at as last_commented_at,
        last_comments.order_id as commented_order_id,
        last_comments.order_number as commented_order_number,
        last_comments.order_comment_id
    from buyers
    inner join {{ ref('rpt_reorders') }} as reorders on buyers.buyer_id = reorders.buyer_id
    left join usual on buyers.buyer_id = usual.buyer_id
    left join likes on buyers.buyer_id = likes.buyer_id
    left join owed on buyers.buyer_id = owed.buyer_id
    left join {{ ref('int_last_comments') }} as last_comments
        on buyers.buyer_id = last_comments.buyer_id

)

select * from final
