-- bi/rpt_open_orders_totals (table)
--   open_orders_id text
--   vendor_id text
--   vendor_name text
--   state text
--   age_bucket text
--   order_count bigint
--   open_amount decimal(38, 9)
--   open_without_total_count bigint
--   oldest_ordered_date date
--   unknown_order_count bigint
--   unknown_amount decimal(38, 9)
--   unknown_without_total_count bigint
with

open_orders as (

    select * from int_open_orders

),

final as (

    select
        open_orders_id,
        vendor_id,
        vendor_name,
        state,
        age_bucket,
        order_count,
        open_amount,
        open_without_total_count,
        oldest_ordered_date,
        unknown_order_count,
        unknown_amount,
        unknown_without_total_count
    from open_orders
    where vendor_id = 'all'
        or state = 'all'
        or age_bucket = 'all'

)

select * from final
