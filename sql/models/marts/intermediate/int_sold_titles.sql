with

final as (

    select
        {{ key_of(['order_lines.item_id', 'order_lines.sku', 'order_lines.item_title']) }}
            as title_id,
        order_lines.item_id,
        order_lines.sku,
        order_lines.item_title,
        max(orders.plausible_ordered_at) as last_ordered_at,
        count(*) as row_count
    from {{ ref('int_orders') }} as orders
    inner join {{ ref('stg_wholesale__order_line_items') }} as order_lines
        on orders.order_id = order_lines.order_id
    group by order_lines.item_id, order_lines.sku, order_lines.item_title

)

select * from final
